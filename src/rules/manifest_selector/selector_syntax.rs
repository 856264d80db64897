//! FL1403 selector-syntax.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::manifest_selector::label_selectors::judged_selectors;

declare_rule! {
    /// A label selector with a key or value that no label can have.
    ///
    /// ## Why it matters
    /// The API server does not look at it. The webhooks refuse it in placements and overrides; elsewhere the
    /// selector cannot be read and whatever uses it fails.
    ///
    /// ## What to do
    /// Write keys as `[dns-name/]name` and values of at most 63 letters, digits, `-`, `_` and `.`.
    pub static SELECTOR_SYNTAX = Rule {
        code: "FL1403",
        name: "selector-syntax",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Strategy, Kind::Placement, Kind::Override],
        check: selector_syntax,
    }
}

fn selector_syntax(cx: &mut Cx<'_>) {
    for (manifest, selector) in judged_selectors(cx) {
        for (place, why) in selector.syntax_troubles() {
            let finding = SELECTOR_SYNTAX
                .at_field(&place, "no label can be this")
                .layer(cx.hook_layer(manifest))
                .message(format!("{} {}: {why}", manifest.key.kind, manifest.name()))
                .why("the selector cannot be read");
            cx.report(finding);
        }
    }
}
