//! FL0403 overdue-cluster.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::model::binding::Binding;
use crate::rule::Cx;
use crate::rules::commands::hub_agent_command;
use crate::rules::stuck::agent_liveness::lower_if_agent_alive;
use jiff::SignedDuration;

/// Seen on running fleets: stuck is reported up to 7 minutes after the start, and later on a busy hub.
const PATIENCE: SignedDuration = SignedDuration::from_mins(8);

declare_rule! {
    /// A started cluster that is overdue, while the run says nothing of it.
    ///
    /// ## Why it matters
    /// A cluster that is not ready after five minutes is reported as stuck at the next check. If much more time has
    /// passed and the run still says that it makes progress, there was no check: the hub agent is down or holds no lease, or
    /// the controller is in a long back-off.
    ///
    /// ## What to do
    /// Check the hub agent, and the cluster itself.
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
        let Some(age) = cx.surely_over(since.value, PATIENCE) else { continue };
        let (age, cluster) = (age.show(), &*waiting.cluster);
        let done = cx.find_binding(run, cluster).is_some_and(Binding::is_done);
        let state = match done {
            true => "The cluster is ready, but the run does not continue",
            false => "It has neither finished it nor reported it stuck",
        };
        let mut finding = OVERDUE_CLUSTER
            .at(since.span, format!("started {age} before the capture"))
            .message(format!(
                "{} started {cluster} {age} before the capture. {state}.",
                run.meta.title()
            ))
            .why(
                "The controller reports a cluster as stuck at the first check after 5m. That \
                 check has not come.",
            )
            .then(format!("{} continues by itself at its next check.", run.meta.title()))
            .recover(Recoverability::ResumesAfterRepair)
            .command(hub_agent_command())
            .about(Topic::HubAgent);
        if let Some(progress) = run.condition("Progressing") {
            finding =
                finding.also(progress.best_span(), format!("the last word of {}", run.meta.name()));
        }
        let finding = lower_if_agent_alive(cx, finding);
        cx.report(finding);
    }
}
