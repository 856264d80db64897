//! FL0753 unhealthy-member.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::model::condition::find_condition;
use crate::rule::Cx;
use crate::rules::commands::look_at;
use crate::rules::sentence::{clip, full_stop};

declare_rule! {
    /// A member whose agent reports that its API server is not well.
    ///
    /// ## Why it matters
    /// The agent asks the member's API server for `/readyz` with each heartbeat. While the answer is no, objects
    /// may not be applied, and after five minutes the scheduler no longer picks the cluster.
    ///
    /// ## What to do
    /// Repair the control plane of the member; the message holds the status code.
    pub static UNHEALTHY_MEMBER = Rule {
        code: "FL0753",
        name: "unhealthy-member",
        severity: Severity::Error,
        reads: &[Kind::MemberCluster],
        check: unhealthy_member,
    }
}

fn unhealthy_member(cx: &mut Cx<'_>) {
    for member in cx.members() {
        let Some(agent) = member.agent() else { continue };
        let Some(health) = find_condition(&agent.conditions, "Healthy").filter(|c| c.is_false())
        else {
            continue;
        };
        let name = member.meta.name();
        let finding = UNHEALTHY_MEMBER
            .at(health.best_span(), "reported by the member agent")
            .message(full_stop(&format!(
                "The API server of {} is not healthy: {}",
                member.show(),
                clip(health.message())
            )))
            .why(
                "The member agent asks its API server for /readyz with each heartbeat. After 5m \
                  without a good answer the scheduler no longer picks the cluster.",
            )
            .then(format!("{name} counts as healthy again with the next good heartbeat."))
            .recover(Recoverability::ResumesAfterRepair)
            .step(
                look_at(name).words("get --raw /readyz?verbose").build(),
                "shows which check of the API server fails",
            )
            .explains(Topic::Member(name.into()));
        cx.report(finding);
    }
}
