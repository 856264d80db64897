//! FL1010 missing-field.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::manifest::FaultKind;
use crate::rule::ManifestCx;

declare_rule! {
    /// A required key that is not there.
    ///
    /// ## Why it matters
    /// The API server refuses the object. A key with nothing behind it counts as absent.
    ///
    /// ## What to do
    /// Add the key. For objects of the core group `group` is required too: write `group: ""`.
    pub static MISSING_FIELD = Rule {
        code: "FL1010",
        name: "missing-field",
        severity: Severity::Error,
        layer: Layer::ApiServer,
        reads: &[],
        manifest: missing_field,
    }
}

fn missing_field(cx: &mut ManifestCx<'_>) {
    for (_, fault) in cx.faults() {
        let FaultKind::MissingField(key) = &fault.kind else { continue };
        let field = &fault.place.path.field;
        let help = match key.as_str() {
            "group" => "write `group: \"\"` for the core group",
            "name" => "every object needs a name",
            _ => "a key with nothing behind it counts as absent",
        };
        let finding = MISSING_FIELD
            .on(&fault.place, format!("`{key}` is missing here"))
            .message(format!("{field} is required"))
            .help(help);
        cx.report(finding);
    }
}
