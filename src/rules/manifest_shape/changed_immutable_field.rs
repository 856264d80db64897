//! FL1018 changed-immutable-field.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::manifest::FaultKind;
use crate::rule::Cx;

declare_rule! {
    /// A change to a field that may not change.
    ///
    /// ## Why it matters
    /// The API server refuses the update. Runs, approval requests and evictions are made once; a run that shall
    /// do something else is a new run with a new name.
    ///
    /// ## What to do
    /// Leave the field as it is, and make a new object under a new name.
    pub static CHANGED_IMMUTABLE_FIELD = Rule {
        code: "FL1018",
        name: "changed-immutable-field",
        severity: Severity::Error,
        layer: Layer::ApiServer,
        reads: &[],
        check: changed_immutable_field,
    }
}

fn changed_immutable_field(cx: &mut Cx<'_>) {
    for (manifest, fault) in cx.faults() {
        let FaultKind::Changed(words, old) = &fault.kind else { continue };
        let finding = CHANGED_IMMUTABLE_FIELD
            .at_field(&fault.place, "changed")
            .also_at(*old, "was this")
            .message(format!(
                "{} of {} {} may not change: {words}",
                fault.place.path.field,
                manifest.key.kind,
                manifest.name()
            ))
            .hint("make a new object under a new name instead");
        cx.report(finding);
    }
}
