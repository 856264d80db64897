//! FL1503 override-type-mismatch.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::manifest_override::part::override_rules;

declare_rule! {
    /// Patches in a rule that deletes, or a patch rule without patches.
    ///
    /// ## Why it matters
    /// The type JSONPatch (the default) needs patches, Delete takes none; the webhook refuses the rest.
    ///
    /// ## What to do
    /// Add or remove `jsonPatchOverrides`.
    pub static OVERRIDE_TYPE_MISMATCH = Rule {
        code: "FL1503",
        name: "override-type-mismatch",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Override],
        check: override_type_mismatch,
    }
}

fn override_type_mismatch(cx: &mut Cx<'_>) {
    for manifest in cx.of(Kind::Override) {
        for rule in override_rules(manifest) {
            let patches = rule.get("jsonPatchOverrides").filter(|list| !list.node.is_empty());
            let (place, why) = match (rule.text("overrideType"), patches) {
                (Some("Delete"), Some(patches)) => (
                    patches.key_place(),
                    "JSONPatchOverrides cannot be set when the override type is Delete",
                ),
                (Some("JSONPatch"), None) => (rule.place(), "JSONPatchOverrides cannot be empty"),
                _ => continue,
            };
            let finding = OVERRIDE_TYPE_MISMATCH
                .on(&place, "does not go with the type")
                .layer(cx.hook_layer(manifest))
                .message(format!(
                    "a rule of {} {} is refused: {why}",
                    manifest.key.kind,
                    manifest.name()
                ))
                .why("JSONPatch, the default, needs patches; Delete takes none");
            cx.report(finding);
        }
    }
}
