//! FL1505 bad-patch-value.

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::grammar::kind::Kind;
use crate::model::overrides::Override;
use crate::rule::Cx;

declare_rule! {
    /// A patch that removes with a value, or adds without one.
    ///
    /// ## Why it matters
    /// `remove` takes no value, which the webhook checks. `add` and `replace` without a value put null there,
    /// which nobody checks.
    ///
    /// ## What to do
    /// Remove the value, or write one.
    pub static BAD_PATCH_VALUE = Rule {
        code: "FL1505",
        name: "bad-patch-value",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Override],
        check: bad_patch_value,
    }
}

fn bad_patch_value(cx: &mut Cx<'_>) {
    for item in cx.drafts::<Override>() {
        let manifest = item.manifest;
        for patch in item.patches() {
            let message = format!("a patch of {}", item.show());
            let finding = match (patch.op.as_deref(), patch.value_site()) {
                (Some("remove"), Some(value)) => BAD_PATCH_VALUE
                    .at_field(&value.key_place(), "remove takes no value")
                    .layer(cx.hook_layer(manifest))
                    .message(format!("{message} removes and has a value"))
                    .why("remove operation cannot have value")
                    .fix(Safety::Safe, manifest.remove(&value.pointer())),
                (Some(op @ ("add" | "replace")), None) => BAD_PATCH_VALUE
                    .at_field(&patch.site.place(), "no value")
                    .layer(Layer::Advice)
                    .severity(Severity::Warning)
                    .message(format!("{message} does `{op}` without a value"))
                    .why("null is put there; an explicit `value: null` counts as absent too"),
                _ => continue,
            };
            cx.report(finding);
        }
    }
}
