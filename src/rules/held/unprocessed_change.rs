//! FL0414 unprocessed-change.

use crate::declare_rule;
use crate::finding::Certainty;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::commands::hub_agent_command;
use crate::rules::held::liveness::weigh;
use jiff::SignedDuration;

/// A waiting run is looked at every minute, a change at once.
const PATIENCE: SignedDuration = SignedDuration::from_mins(3);

declare_rule! {
    /// A change of a run's spec that the controller has not taken up.
    ///
    /// ## Why it matters
    /// At every look the controller raises `observedGeneration` of all conditions to the run's generation. If it lags,
    /// the last change of `spec.state` has not been seen.
    ///
    /// ## What to do
    /// Look at hub-agent: is it running, does it hold the lease, what does its log say about this run?
    pub static UNPROCESSED_CHANGE = Rule {
        code: "FL0414",
        name: "unprocessed-change",
        severity: Severity::Warning,
        reads: &[Kind::Run, Kind::MemberCluster],
        check: unprocessed_change,
    }
}

fn unprocessed_change(cx: &mut Cx<'_>) {
    for run in cx.runs().iter().filter(|run| !run.is_terminal() && run.meta.deleting.is_none()) {
        let Some(generation) = run.meta.generation.filter(|_| run.state() != "Initialize") else {
            continue;
        };
        let Some(progress) = run.condition("Progressing") else { continue };
        let Some(observed) =
            progress.observed_generation.filter(|seen| seen.value < generation.value)
        else {
            continue;
        };
        let stamps =
            run.conditions.iter().chain(run.all_stages().flat_map(|stage| &stage.conditions));
        let Some(last) =
            stamps.filter_map(|condition| condition.since).map(|since| since.value).max()
        else {
            continue;
        };
        let Some(age) = cx.surely_over(last, PATIENCE) else { continue };
        let mut finding = UNPROCESSED_CHANGE
            .at(observed.span, "the controller has seen this generation")
            .also(generation.span, "the run is at this one")
            .message(format!(
                "the last change of {} (state {}) has not been taken up: generation {} is seen, the run is at {}, and nothing moved for {}",
                run.meta.name(),
                run.state(),
                observed.value,
                generation.value,
                age.show(),
            ))
            .why("every look raises observedGeneration; there was none since the change")
            .recover(Recoverability::ResumesAfterRepair)
            .certainty(Certainty::Likely)
            .command(hub_agent_command());
        if let Some(state) = &run.state {
            finding = finding.also(state.span, "what was asked for");
        }
        let finding = weigh(cx, finding);
        cx.report(finding);
    }
}
