//! FL1520 repeated-override-selector.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::{At, same};
use crate::rule::Cx;
use crate::rules::manifest_override::part::selectors;

declare_rule! {
    /// An override that selects an object twice.
    ///
    /// ## Why it matters
    /// The webhook refuses it.
    ///
    /// ## What to do
    /// Remove one of the two.
    pub static REPEATED_OVERRIDE_SELECTOR = Rule {
        code: "FL1520",
        name: "repeated-override-selector",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Override],
        check: repeated_override_selector,
    }
}

fn repeated_override_selector(cx: &mut Cx<'_>) {
    for manifest in cx.of(Kind::Override) {
        let mut seen: Vec<At<'_>> = Vec::new();
        for selector in selectors(manifest) {
            if let Some(first) = seen.iter().find(|other| same(other.node, selector.node)) {
                let finding = REPEATED_OVERRIDE_SELECTOR
                    .on(&selector.place(), "and again")
                    .also(first.place().span, "selected here")
                    .layer(cx.hook_layer(manifest))
                    .message(format!(
                        "{} {} selects {} twice",
                        manifest.key.kind,
                        manifest.name(),
                        selector.text("name").unwrap_or_default()
                    ))
                    .why("each selector of an override must be unique");
                cx.report(finding);
            } else {
                seen.push(selector);
            }
        }
    }
}
