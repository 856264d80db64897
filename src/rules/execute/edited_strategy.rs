//! FL0210 edited-strategy.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::model::strategy::Stage;
use crate::rule::Cx;
use crate::rules::execute::stage_diff::first_difference;

declare_rule! {
    /// A strategy that was edited after a run was initialized with it.
    ///
    /// ## Why it matters
    /// A run keeps a copy of the strategy that it was initialized with. An edit reaches the next run only: a gate that was
    /// taken out of the strategy still holds this one.
    ///
    /// ## What to do
    /// Pass the gate as the run has it, or delete the run and make a new one, which takes the edited strategy.
    pub static EDITED_STRATEGY = Rule {
        code: "FL0210",
        name: "edited-strategy",
        severity: Severity::Warning,
        reads: &[Kind::Run, Kind::Strategy],
        check: edited_strategy,
    }
}

fn edited_strategy(cx: &mut Cx<'_>) {
    for run in cx
        .runs()
        .iter()
        .filter(|run| run.is_initialized() && !run.is_terminal() && !run.meta.partial)
    {
        let Some(strategy) = cx.find_strategy(run).filter(|strategy| !strategy.meta.partial) else {
            continue;
        };
        let Some(frozen) = run.frozen_stages.as_ref().filter(|frozen| !frozen.is_empty()) else {
            continue;
        };
        let Some(difference) = first_difference(&strategy.stages, frozen) else { continue };
        let name = |stage: &Stage| stage.name().to_owned();
        let stage = difference.stage.map(name).unwrap_or_default();
        cx.report(
            EDITED_STRATEGY
                .at(difference.new.unwrap_or(strategy.meta.name_span), "edited since")
                .also_at(difference.old, "the run keeps this")
                .message(format!(
                    "strategy {} was edited after {} was initialized ({} of stage {stage}); the run keeps its copy",
                    strategy.meta.name(),
                    run.meta.name(),
                    difference.what,
                ))
                .why("a run reads its strategy once; the edit counts for the next run only")
                .recover(Recoverability::WaitsForPerson),
        );
    }
}
