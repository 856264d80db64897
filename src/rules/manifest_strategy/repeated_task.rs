//! FL1119 repeated-task.

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::grammar::kind::Kind;
use crate::model::strategy::Strategy;
use crate::rule::Cx;

declare_rule! {
    /// Two tasks of one type after a stage.
    ///
    /// ## Why it matters
    /// The API server accepts them; every run of the strategy fails at initialization.
    ///
    /// ## What to do
    /// Keep one of each.
    pub static REPEATED_TASK = Rule {
        code: "FL1119",
        name: "repeated-task",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Strategy],
        check: repeated_task,
    }
}

fn repeated_task(cx: &mut Cx<'_>) {
    for strategy in cx.drafts::<Strategy>() {
        for stage in &strategy.stages {
            let Some((first, second)) = stage.repeated_task() else { continue };
            let Some(kind) = &second.kind else { continue };
            // Only a copy that says the same in every word can go without asking.
            let is_copy = match (&first.wait, &second.wait) {
                (Some(first), Some(second)) => first.value == second.value,
                _ => [first, second].iter().all(|task| task.site.absent("waitTime").is_some()),
            };
            let mended = || strategy.manifest.remove(&second.site.pointer());
            let finding = REPEATED_TASK
                .at_field(&second.site.place(), "the same again")
                .also(first.site.place().span, "one")
                .message(format!(
                    "stage {} of {} has two tasks of type {}",
                    stage.name(),
                    strategy.name(),
                    &**kind
                ))
                .why(format!(
                    "every run fails at initialization: {}",
                    "afterStageTasks cannot have two tasks of the same type"
                ))
                .fix(Safety::Safe, is_copy.then(mended).flatten());
            cx.report(finding);
        }
    }
}
