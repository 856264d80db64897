//! FL0803 impossible-condition.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;

declare_rule! {
    /// Conditions of a run that no controller writes together.
    ///
    /// ## Why it matters
    /// `Progressing` appears only after initialization has succeeded, and `Succeeded` only with `Progressing` False. A run that shows
    /// otherwise was edited, damaged in transit, or written by another build.
    ///
    /// ## What to do
    /// Collect the run again before you act on it.
    pub static IMPOSSIBLE_CONDITION = Rule {
        code: "FL0803",
        name: "impossible-condition",
        severity: Severity::Warning,
        reads: &[Kind::Run],
        check: impossible_condition,
    }
}

fn impossible_condition(cx: &mut Cx<'_>) {
    for run in cx.runs() {
        let progress = run.condition("Progressing");
        let failed = run.condition("Initialized").filter(|initialized| initialized.is_false());
        let ended = run.condition("Succeeded");
        let pair = match (progress, failed, ended) {
            (Some(progress), Some(failed), _) => {
                (progress, failed, "Progressing beside a failed initialization")
            }
            (Some(progress), None, Some(ended)) if !progress.is_false() => {
                (progress, ended, "Succeeded while Progressing is not False")
            }
            _ => continue,
        };
        let (first, second, what) = pair;
        cx.report(
            IMPOSSIBLE_CONDITION
                .at(first.status.span, "this")
                .also(second.status.span, "and this exclude each other")
                .message(format!("{} shows what no controller writes: {what}.", run.meta.name()))
                .why("Someone edited or damaged the status, or another build wrote it.")
                .recover(Recoverability::NothingToDo),
        );
    }
}
