//! FL0752 never-joined-member.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::model::age::Passed;
use crate::model::condition::{Condition, find_condition};
use crate::rule::Cx;
use crate::rules::commands::{member_agent_command, member_agent_log};
use crate::rules::member::wanting_placements::unscheduled_on;
use crate::rules::sentence::{as_sentence, clip};
use jiff::SignedDuration;

declare_rule! {
    /// A member cluster whose agent has not joined the fleet.
    ///
    /// ## Why it matters
    /// The MemberCluster exists on the hub, but its agent has never written to it (there is no agent status), or
    /// says that it could not join. The scheduler does not pick it, and a placement that names it stays
    /// unfulfilled.
    ///
    /// ## What to do
    /// Install and start the member agent on that cluster with this name and the hub's address, and look at its
    /// log if it does not join.
    pub static NEVER_JOINED_MEMBER = Rule {
        code: "FL0752",
        name: "never-joined-member",
        severity: Severity::Error,
        reads: &[Kind::MemberCluster],
        check: never_joined_member,
    }
}

/// Installing and joining takes a while.
const PATIENCE: SignedDuration = SignedDuration::from_mins(5);

fn never_joined_member(cx: &mut Cx<'_>) {
    for member in cx.members() {
        let agent = member.agent();
        let said = agent.and_then(|agent| find_condition(&agent.conditions, "Joined"));
        let joined = said.or_else(|| member.condition("Joined"));
        // Without a stamp of its creation it is a manifest, not a member.
        let is_live = member.meta.created.is_some() && !member.meta.partial;
        let leaves = member.meta.deleting.is_some();
        if joined.is_some_and(Condition::is_true) || !is_live || leaves {
            continue;
        }
        let name = member.meta.name();
        let age = member.meta.created.and_then(|created| cx.clock().since(created.value));
        let wanting = unscheduled_on(cx, name);
        if wanting.is_empty() && age.is_some_and(|age| age.passed(PATIENCE) == Passed::No) {
            continue;
        }
        let age = match age {
            Some(age) if age.is_settled() => format!(" in the {} since it was created", age.show()),
            _ => " since it was created".to_owned(),
        };
        let span = joined.map_or(member.meta.name_span, |joined| joined.best_span());
        let why = match (agent, joined) {
            (None, _) | (_, None) => format!("No member agent has connected to the hub{age}"),
            (Some(_), Some(joined)) => {
                format!("Joined is {}: {}", joined.reason(), clip(joined.message()))
            }
        };
        let mut finding = NEVER_JOINED_MEMBER
            .at(span, "the member agent has not joined")
            .message(as_sentence(&format!("{} has not joined. {why}", member.show())))
            .why(
                "Without a member agent there is no heartbeat, so the scheduler does not pick the \
                  cluster.",
            )
            .then(format!(
                "The scheduler picks {name} by itself within seconds of its first heartbeat."
            ))
            .recover(Recoverability::ResumesAfterRepair)
            .step(member_agent_command(name), "shows whether a member agent is installed and runs")
            .step(member_agent_log(name), "shows why the member agent cannot join")
            .explains(Topic::Member(name.into()));
        for (placement, span) in &wanting {
            finding = finding
                .also(*span, "wanted by this placement")
                .explains(Topic::PlacementCluster(placement.clone(), name.into()));
        }
        if wanting.is_empty() {
            finding = finding.severity(Severity::Warning);
        }
        cx.report(finding);
    }
}
