//! FL1001 malformed-manifest.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::manifest::FaultKind;
use crate::rule::Cx;

declare_rule! {
    /// A manifest that is not well-formed YAML or JSON.
    ///
    /// ## Why it matters
    /// Nothing in the document can be applied, and what an editor shows as one field may be another.
    ///
    /// ## What to do
    /// Repair the text at the marked place. A document that is made from a template has to be rendered first.
    pub static MALFORMED_MANIFEST = Rule {
        code: "FL1001",
        name: "malformed-manifest",
        severity: Severity::Error,
        layer: Layer::ApiServer,
        reads: &[],
        check: malformed_manifest,
    }
}

fn malformed_manifest(cx: &mut Cx<'_>) {
    for (_, fault) in cx.faults() {
        let FaultKind::Malformed(why) = &fault.kind else { continue };
        let finding = MALFORMED_MANIFEST
            .at_field(&fault.place, "cannot be read from here on")
            .message(format!("the text is not well-formed: {why}"))
            .why("the API server gives the whole document back");
        cx.report(finding);
    }
}
