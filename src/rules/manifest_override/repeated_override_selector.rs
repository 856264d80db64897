//! FL1520 repeated-override-selector.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::overrides::Override;
use crate::rule::Cx;

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
    for item in cx.drafts::<Override>() {
        for (index, selector) in item.selectors.iter().enumerate() {
            let Some(identity) = selector.identity() else { continue };
            let mut earlier = item.selectors.iter().take(index);
            let first = earlier.find(|other| other.identity().as_ref() == Some(&identity));
            let Some(first) = first else { continue };
            let finding = REPEATED_OVERRIDE_SELECTOR
                .at_field(&selector.site.place(), "and again")
                .also(first.site.place().span, "selected here")
                .layer(cx.hook_layer(item.manifest))
                .message(format!(
                    "{} selects {} twice",
                    item.show(),
                    selector.name.as_deref().unwrap_or_default()
                ))
                .why("each selector of an override must be unique");
            cx.report(finding);
        }
    }
}
