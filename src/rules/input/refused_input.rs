//! FL0001 refused-input.

use std::collections::BTreeMap;

use super::capped_findings::CappedFindings;
use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::rule::Cx;

declare_rule! {
    /// A file that could not be read, or was refused.
    ///
    /// ## Why it matters
    /// What stands in it was not judged. Limits protect against archives that unpack to more than the machine can hold, and
    /// against paths and links that lead out of the bundle.
    ///
    /// ## What to do
    /// Ask for the file again, or unpack it and name the parts that matter.
    pub static REFUSED_INPUT = Rule {
        code: "FL0001",
        name: "refused-input",
        severity: Severity::Warning,
        reads: &[],
        check: refused_input,
    }
}

fn refused_input(cx: &mut Cx<'_>) {
    // An archive may hold any number of them, so each reason gets so many.
    let mut by_reason: BTreeMap<&str, CappedFindings> = BTreeMap::new();
    for refusal in &cx.bundle().refusals {
        by_reason.entry(&refusal.reason).or_default().add(|| {
            REFUSED_INPUT
                .at(refusal.span, "not read")
                .of_loss()
                .message(format!("{} {}.", refusal.path, refusal.reason))
                .why("The rest of the bundle was judged without it.")
                .recover(Recoverability::NothingToDo)
        });
    }
    let findings = by_reason.into_values().flat_map(CappedFindings::into_findings);
    findings.for_each(|finding| cx.report(finding));
}
