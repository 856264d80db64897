//! FL0213 late-change.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;

declare_rule! {
    /// A change of a run that has already ended.
    ///
    /// ## Why it matters
    /// A run that has succeeded or failed is never looked at again. Setting its state, for example to Run, does nothing.
    ///
    /// ## What to do
    /// Make a new run.
    pub static LATE_CHANGE = Rule {
        code: "FL0213",
        name: "late-change",
        severity: Severity::Note,
        reads: &[Kind::Run],
        check: late_change,
    }
}

fn late_change(cx: &mut Cx<'_>) {
    for run in cx.runs().iter().filter(|run| run.meta.deleting.is_none()) {
        let ended = run.failure();
        let Some(observed) = ended.and_then(|condition| condition.observed_generation) else {
            continue;
        };
        let Some(generation) =
            run.meta.generation.filter(|generation| generation.value > observed.value)
        else {
            continue;
        };
        cx.report(
            LATE_CHANGE
                .at(generation.span, "changed after the end")
                .also(observed.span, "the run ended at this generation")
                .message(format!(
                    "{} was changed after it had failed, which does nothing",
                    run.meta.name()
                ))
                .why("a run that has ended is never looked at again")
                .recover(Recoverability::RunIsDead),
        );
    }
}
