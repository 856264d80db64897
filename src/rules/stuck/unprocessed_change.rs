//! FL0414 unprocessed-change.

use crate::declare_rule;
use crate::finding::{Certainty, Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::model::run::Run;
use crate::rule::Cx;
use crate::rules::commands::hub_agent_command;
use crate::rules::stuck::agent_liveness::lower_if_agent_alive;
use jiff::SignedDuration;
use jiff::Timestamp;

/// A waiting run is checked every minute, a change at once.
const PATIENCE: SignedDuration = SignedDuration::from_mins(3);

declare_rule! {
    /// A change of a run's spec that the controller has not taken up.
    ///
    /// ## Why it matters
    /// At every check the controller raises `observedGeneration` of all conditions to the run's generation. If it lags,
    /// the last change of `spec.state` has not been seen.
    ///
    /// ## What to do
    /// Check the hub agent: is it running, does it hold the lease, what does its log say about this run?
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
        let generation = run.meta.generation.filter(|_| run.state() != "Initialize");
        let (Some(generation), Some(progress)) = (generation, run.condition("Progressing")) else {
            continue;
        };
        let seen = progress.observed_generation.filter(|seen| seen.value < generation.value);
        let (Some(observed), Some(last)) = (seen, last_stamp(run)) else { continue };
        let Some(age) = cx.surely_over(last, PATIENCE) else { continue };
        let finding = UNPROCESSED_CHANGE
            .at(observed.span, "the controller has seen this generation")
            .also(generation.span, "the run is at this one")
            .also_at(run.state.as_ref().map(|state| state.span), "what was asked for")
            .message(format!(
                "The hub agent has not taken up the last change of {} (state {}) for {}.",
                run.meta.name(),
                run.state(),
                age.show(),
            ))
            .why(format!(
                "Every check raises observedGeneration. It is {}, and the run is at generation {}.",
                observed.value, generation.value
            ))
            .then(format!("{} takes the change up by itself at the next check.", run.meta.title()))
            .recover(Recoverability::ResumesAfterRepair)
            .certainty(Certainty::Likely)
            .command(hub_agent_command());
        let finding = lower_if_agent_alive(cx, finding);
        cx.report(finding);
    }
}

/// Returns the last time at which anything in the run's status moved.
fn last_stamp(run: &Run) -> Option<Timestamp> {
    let stages = run.all_stages().flat_map(|stage| &stage.conditions);
    let stamps = run.conditions.iter().chain(stages);
    stamps.filter_map(|condition| condition.since).map(|since| since.value).max()
}
