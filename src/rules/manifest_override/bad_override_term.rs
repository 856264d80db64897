//! FL1502 bad-override-term.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::overrides::Override;
use crate::rule::Cx;

declare_rule! {
    /// A cluster selector term of an override that is not by label.
    ///
    /// ## Why it matters
    /// Overrides choose clusters by label only: properties are refused by the webhook, and so is a term without
    /// a label selector.
    ///
    /// ## What to do
    /// Use `labelSelector`.
    pub static BAD_OVERRIDE_TERM = Rule {
        code: "FL1502",
        name: "bad-override-term",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Override],
        check: bad_override_term,
    }
}

fn bad_override_term(cx: &mut Cx<'_>) {
    for item in cx.drafts::<Override>() {
        for term in item.rules.iter().flat_map(|rule| rule.terms.iter().flatten()) {
            let by_property = term.property_selector.as_ref().or(term.property_sorter.as_ref());
            let (place, why) = match by_property {
                Some(part) => (part.key_place(), "only labelSelector is supported"),
                None if term.labels.is_none() => (term.site.place(), "labelSelector is required"),
                None => continue,
            };
            let finding = BAD_OVERRIDE_TERM
                .at_field(&place, why)
                .layer(cx.hook_layer(item.manifest))
                .message(format!("a cluster selector of {} is refused: {why}", item.show()))
                .why("overrides choose clusters by label only");
            cx.report(finding);
        }
    }
}
