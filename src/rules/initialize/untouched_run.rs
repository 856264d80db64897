//! FL0117 untouched-run.

use crate::declare_rule;
use crate::finding::Topic;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::commands::{hub_agent_command, hub_agent_log};
use jiff::SignedDuration;

/// The first condition comes within seconds; a minute is long.
const PATIENCE: SignedDuration = SignedDuration::from_mins(1);

declare_rule! {
    /// A run that no controller has touched, or that does not get through its initialization.
    ///
    /// ## Why it matters
    /// A run gets its finalizer and its first condition within seconds. Without a finalizer nobody watches runs of this
    /// scope: hub-agent is down, or runs are switched off (`--enable-staged-update-run-apis`, and
    /// `--enable-resource-placement` for namespaced ones). With a finalizer but no condition the initialization is
    /// retried again and again: the log of hub-agent says why.
    ///
    /// ## What to do
    /// Look at hub-agent: is it running, does it hold the lease, which flags has it, what does its log say?
    pub static UNTOUCHED_RUN = Rule {
        code: "FL0117",
        name: "untouched-run",
        severity: Severity::Error,
        reads: &[Kind::Run],
        check: untouched_run,
    }
}

fn untouched_run(cx: &mut Cx<'_>) {
    for run in cx.runs().iter().filter(|run| run.conditions.is_empty() && !run.meta.partial) {
        let Some(created) = run.meta.created.filter(|_| run.meta.deleting.is_none()) else {
            continue;
        };
        let Some(age) = cx.surely_over(created.value, PATIENCE) else {
            continue;
        };
        let watched = !run.meta.finalizers.is_empty();
        let (state, help) = if watched {
            (
                "its initialization does not get through",
                "the finalizer shows that the controller saw the run; it retries, and its log says why",
            )
        } else {
            (
                "no controller has touched it",
                "without a finalizer nobody watches this run: the hub agent is down, or runs of this scope are switched off",
            )
        };
        cx.report(
            UNTOUCHED_RUN
                .at(created.span, format!("created {} before the capture", age.show()))
                .message(format!(
                    "{} has no condition {} after its creation: {state}",
                    run.meta.name(),
                    age.show()
                ))
                .why(help)
                .recover(Recoverability::ResumesAfterRepair)
                .command(hub_agent_command())
                .command(hub_agent_log())
                .about(Topic::HubAgent)
                .explains(Topic::Run(run.meta.key.clone())),
        );
    }
}
