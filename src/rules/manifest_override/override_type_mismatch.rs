//! FL1503 override-type-mismatch.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::overrides::Override;
use crate::rule::Cx;

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
    for item in cx.drafts::<Override>() {
        for rule in &item.rules {
            let patches = rule.patches.site.as_ref().filter(|list| !list.is_empty());
            let (place, why) = match (rule.kind.as_deref(), patches) {
                (Some("Delete"), Some(patches)) => (
                    patches.key_place(),
                    "JSONPatchOverrides cannot be set when the override type is Delete",
                ),
                (Some("JSONPatch"), None) => {
                    (rule.site.place(), "JSONPatchOverrides cannot be empty")
                }
                _ => continue,
            };
            let finding = OVERRIDE_TYPE_MISMATCH
                .at_field(&place, "does not go with the type")
                .layer(cx.hook_layer(item.manifest))
                .message(format!("a rule of {} is refused: {why}", item.show()))
                .why("JSONPatch, the default, needs patches; Delete takes none");
            cx.report(finding);
        }
    }
}
