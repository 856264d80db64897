//! FL1011 value-not-allowed.

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::manifest::FaultKind;
use crate::rule::Cx;

declare_rule! {
    /// A word that is not among those that the field takes.
    ///
    /// ## Why it matters
    /// The API server compares letter by letter, capitals included.
    ///
    /// ## What to do
    /// Use one of the words that the finding lists.
    pub static VALUE_NOT_ALLOWED = Rule {
        code: "FL1011",
        name: "value-not-allowed",
        severity: Severity::Error,
        layer: Layer::ApiServer,
        reads: &[],
        check: value_not_allowed,
    }
}

fn value_not_allowed(cx: &mut Cx<'_>) {
    for (manifest, fault) in cx.faults() {
        let FaultKind::NotAllowed { found, allowed, meant, was } = &fault.kind else { continue };
        let pointer = &fault.place.path.pointer;
        let cased = allowed.iter().find(|word| word.eq_ignore_ascii_case(found));
        let allowed = allowed.join(", ");
        let help = match (meant, was) {
            (Some(meant), true) => {
                format!("this word of an older release is `{meant}` today; allowed: {allowed}")
            }
            (None, true) => {
                format!("this word of an older release has no successor; allowed: {allowed}")
            }
            (Some(meant), false) => format!("did you mean `{meant}`? Allowed: {allowed}"),
            (None, false) => format!("allowed: {allowed}"),
        };
        let finding = VALUE_NOT_ALLOWED
            .at_field(&fault.place, "not among the allowed words")
            .message(format!("`{found}` is not allowed as {}", fault.place.path.field))
            .hint(help)
            .fix(Safety::Safe, cased.and_then(|word| manifest.replace(pointer, word)));
        cx.report(finding);
    }
}
