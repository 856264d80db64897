//! FL0210 edited-strategy.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::model::strategy::Stage;
use crate::rule::Cx;
use crate::rules::execution::stage_diff::first_difference;
use crate::rules::run_failure::living_runs;

declare_rule! {
    /// A strategy that was edited after a run was initialized with it.
    ///
    /// ## Why it matters
    /// A run keeps a copy of the strategy that it was initialized with. An edit reaches the next run only: a gate that was
    /// taken out of the strategy still holds this one.
    ///
    /// ## What to do
    /// Pass the gate as the run has it, or create a new run, which takes the edited strategy.
    pub static EDITED_STRATEGY = Rule {
        code: "FL0210",
        name: "edited-strategy",
        severity: Severity::Warning,
        reads: &[Kind::Run, Kind::Strategy],
        check: edited_strategy,
    }
}

fn edited_strategy(cx: &mut Cx<'_>) {
    for run in living_runs(cx) {
        let strategy = cx.find_strategy(run).filter(|strategy| !strategy.meta.partial);
        let frozen = run.frozen_stages.as_ref().filter(|frozen| !frozen.is_empty());
        let (Some(strategy), Some(frozen)) = (strategy, frozen) else { continue };
        let Some(difference) = first_difference(&strategy.stages, frozen) else { continue };
        let stage = difference.stage.map(Stage::name).unwrap_or_default();
        let name = run.meta.name();
        let finding = EDITED_STRATEGY
            .at(
                difference.new.unwrap_or(strategy.meta.name_span),
                format!("edited after {name} started"),
            )
            .also_at(difference.old, format!("{name} keeps this"))
            .message(format!(
                "Someone edited strategy {} after {name} started: stage {stage} {}.",
                strategy.meta.name(),
                difference.what,
            ))
            .why("A run reads its strategy once. The edit counts for the next run only.")
            .hint(format!("To use the edited strategy, create a new run; it replaces {name}."));
        let then = format!("{} keeps its copy of the strategy.", run.meta.title());
        cx.report(finding.then(then).recover(Recoverability::WaitsForPerson));
    }
}
