//! FL0403 overdue-cluster.

use crate::declare_rule;
use crate::finding::Topic;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::model::binding::Binding;
use crate::rule::Cx;
use crate::rules::commands::hub_agent_command;
use crate::rules::held::liveness::weigh;
use jiff::SignedDuration;

/// Seen on running fleets: stuck is reported up to 7 minutes after the start, and later on a busy hub.
const PATIENCE: SignedDuration = SignedDuration::from_mins(8);

declare_rule! {
    /// A started cluster that is overdue, while the run says nothing of it.
    ///
    /// ## Why it matters
    /// A cluster that is not done after five minutes is reported as stuck at the next look. If much more time has
    /// passed and the run still says that it makes progress, nobody looked: hub-agent is down or holds no lease, or
    /// the controller is in a long back-off.
    ///
    /// ## What to do
    /// Look at hub-agent, and at the cluster itself.
    pub static OVERDUE_CLUSTER = Rule {
        code: "FL0403",
        name: "overdue-cluster",
        severity: Severity::Warning,
        reads: &[Kind::Run, Kind::Binding, Kind::MemberCluster],
        check: overdue_cluster,
    }
}

fn overdue_cluster(cx: &mut Cx<'_>) {
    for waiting in cx.waiting_clusters().iter().filter(|waiting| !waiting.is_reported_stuck()) {
        let run = waiting.run;
        let Some(since) = waiting.since.filter(|_| run.state() == "Run") else { continue };
        let Some(age) = cx.surely_over(since.value, PATIENCE) else {
            continue;
        };
        let binding = cx.find_binding(run, &waiting.cluster);
        let done = binding.is_some_and(Binding::is_done);
        let state = if done { "is done" } else { "is not done" };
        let mut finding = OVERDUE_CLUSTER
            .at(since.span, format!("started {} before the capture", age.show()))
            .message(format!(
                "cluster {} of {} was started {} before the capture and {state}, but the run neither goes on nor says stuck: the controller does not look",
                waiting.cluster,
                run.meta.name(),
                age.show(),
            ))
            .why("a cluster that is not done after 5m is reported as stuck at the next look; there was none")
            .recover(Recoverability::ResumesAfterRepair)
            .command(hub_agent_command())
            .about(Topic::HubAgent);
        if let Some(progress) = run.condition("Progressing") {
            finding = finding.also(progress.best_span(), "what the run says");
        }
        let finding = weigh(cx, finding);
        cx.report(finding);
    }
}
