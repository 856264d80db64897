//! FL0002 broken-document.

use super::capped_findings::CappedFindings;
use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::rule::Cx;
use crate::rules::sentence::as_sentence;
use crate::syntax::ProblemKind;

declare_rule! {
    /// A document that is not well-formed, or ends in the middle.
    ///
    /// ## Why it matters
    /// What stood before the fault was read; what stood behind it is unknown, and an absent field proves nothing there.
    ///
    /// ## What to do
    /// Ask for the file again. A capture that breaks off was often still being written when it was packed.
    ///
    /// ## Also covered
    /// Documents beyond a limit of depth or size; kinds that are misspelt and were read as the nearest known one; text whose
    /// indentation was lost and rebuilt; templates that were not rendered.
    pub static BROKEN_DOCUMENT = Rule {
        code: "FL0002",
        name: "broken-document",
        severity: Severity::Note,
        reads: &[],
        check: broken_document,
    }
}

fn broken_document(cx: &mut Cx<'_>) {
    // The faults of what is none of ours are told by one line, see FL0005.
    if cx.bundle().is_foreign() {
        return;
    }
    for parsed in &cx.bundle().parsed {
        let inside = parsed.documents.iter().flat_map(|document| &document.problems);
        let mut many = CappedFindings::default();
        for problem in inside
            .chain(&parsed.problems)
            .filter(|problem| problem.kind != ProblemKind::DuplicateKey)
        {
            let label = match problem.kind {
                ProblemKind::Truncated => "breaks off here",
                ProblemKind::MisspeltKind => "misspelt",
                ProblemKind::LostNesting => "indentation rebuilt from here on",
                ProblemKind::LostColumns => "which cell is which is not told",
                ProblemKind::Template => "a template, not a manifest",
                _ => "cannot be read from here on",
            };
            let lost = problem.kind.loses_text();
            many.add(|| {
                let finding = BROKEN_DOCUMENT
                    .at(problem.span, label)
                    .message(as_sentence(&problem.message))
                    .why(
                        "What could be read was judged. An absent field proves nothing in such a \
                         document.",
                    )
                    .recover(Recoverability::NothingToDo);
                if lost { finding.of_loss() } else { finding.of_input() }
            });
        }
        many.into_findings().into_iter().for_each(|finding| cx.report(finding));
    }
}
