//! FL0003 duplicate-key.

use super::capped_findings::CappedFindings;
use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::rule::Cx;
use crate::rules::sentence::as_sentence;
use crate::syntax::ProblemKind;

declare_rule! {
    /// A key that occurs twice in one map.
    ///
    /// ## Why it matters
    /// YAML forbids it, and readers differ in which value they take. The first one was used.
    ///
    /// ## What to do
    /// Look at both; the file was edited or joined by hand.
    pub static DUPLICATE_KEY = Rule {
        code: "FL0003",
        name: "duplicate-key",
        severity: Severity::Note,
        reads: &[],
        check: duplicate_key,
    }
}

fn duplicate_key(cx: &mut Cx<'_>) {
    // The faults of what is none of ours are told by one line, see FL0005.
    if cx.bundle().is_foreign() {
        return;
    }
    for parsed in &cx.bundle().parsed {
        let problems = parsed.documents.iter().flat_map(|document| &document.problems);
        let mut many = CappedFindings::default();
        for problem in problems.filter(|problem| problem.kind == ProblemKind::DuplicateKey) {
            many.add(|| {
                DUPLICATE_KEY
                    .at(problem.span, "again")
                    .of_input()
                    .also_at(problem.other, "first here, and this value was used")
                    .message(as_sentence(&problem.message))
                    .why("Readers differ in which of the two values they take.")
                    .recover(Recoverability::NothingToDo)
            });
        }
        many.into_findings().into_iter().for_each(|finding| cx.report(finding));
    }
}
