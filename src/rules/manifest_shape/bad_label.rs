//! FL1016 bad-label.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::manifest::FaultKind;
use crate::rule::Cx;

declare_rule! {
    /// A label or annotation whose key or value Kubernetes does not allow.
    ///
    /// ## Why it matters
    /// Keys are `[dns-name/]name`; label values have at most 63 letters, digits, `-`, `_` and `.` and are
    /// always text.
    ///
    /// ## What to do
    /// Correct the key or value. Numbers and words like `yes` need quotes.
    pub static BAD_LABEL = Rule {
        code: "FL1016",
        name: "bad-label",
        severity: Severity::Error,
        layer: Layer::ApiServer,
        reads: &[],
        check: bad_label,
    }
}

fn bad_label(cx: &mut Cx<'_>) {
    for (_, fault) in cx.faults() {
        let FaultKind::BadLabel(why) = &fault.kind else { continue };
        let finding = BAD_LABEL
            .at_field(&fault.place, "not allowed")
            .message(why.clone())
            .why("keys and label values have at most 63 letters, digits, `-`, `_` and `.`");
        cx.report(finding);
    }
}
