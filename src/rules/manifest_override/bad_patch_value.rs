//! FL1505 bad-patch-value.

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::manifest_override::part::patches;

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
    for manifest in cx.of(Kind::Override) {
        for patch in patches(manifest) {
            let message = format!("a patch of {} {}", manifest.key.kind, manifest.name());
            let finding = match (patch.text("op"), patch.get("value")) {
                (Some("remove"), Some(value)) => BAD_PATCH_VALUE
                    .on(&value.key_place(), "remove takes no value")
                    .layer(cx.hook_layer(manifest))
                    .message(format!("{message} removes and has a value"))
                    .why("remove operation cannot have value")
                    .fix(Safety::Safe, manifest.without(&value.pointer())),
                (Some(op @ ("add" | "replace")), None) => BAD_PATCH_VALUE
                    .on(&patch.place(), "no value")
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
