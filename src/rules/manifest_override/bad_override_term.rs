//! FL1502 bad-override-term.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::manifest_override::part::override_rules;

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
    for manifest in cx.of(Kind::Override) {
        for rule in override_rules(manifest) {
            let selector = rule.get("clusterSelector");
            for term in
                selector.map(|selector| selector.list("clusterSelectorTerms")).unwrap_or_default()
            {
                let by_property =
                    ["propertySelector", "propertySorter"].iter().find_map(|key| term.get(key));
                let (place, why) = match by_property {
                    Some(part) => (part.key_place(), "only labelSelector is supported"),
                    None if term.get("labelSelector").is_none() => {
                        (term.place(), "labelSelector is required")
                    }
                    None => continue,
                };
                let finding = BAD_OVERRIDE_TERM
                    .on(&place, why)
                    .layer(cx.hook_layer(manifest))
                    .message(format!(
                        "a cluster selector of {} {} is refused: {why}",
                        manifest.key.kind,
                        manifest.name()
                    ))
                    .why("overrides choose clusters by label only");
                cx.report(finding);
            }
        }
    }
}
