//! FL0213 late-change.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;

declare_rule! {
    /// A change of a run that has already ended.
    ///
    /// ## Why it matters
    /// A run that has succeeded or failed is never checked again. Setting its state, for example to Run, does nothing.
    ///
    /// ## What to do
    /// Create a new run.
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
        let ended = run.failure().and_then(|condition| condition.observed_generation);
        let Some(observed) = ended else { continue };
        let changed = run.meta.generation.filter(|generation| generation.value > observed.value);
        let Some(generation) = changed else { continue };
        let name = run.meta.name();
        cx.report(
            LATE_CHANGE
                .at(generation.span, "changed after the end")
                .also(observed.span, format!("{name} ended at this generation"))
                .message(format!("Someone changed {name} after it had failed, which does nothing."))
                .why("The controller does not check a run that has ended.")
                .then(format!("{} cannot be resumed.", run.meta.title()))
                .recover(Recoverability::RunIsDead),
        );
    }
}
