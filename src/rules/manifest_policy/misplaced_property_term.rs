//! FL1308 misplaced-property-term.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::manifest_policy::term::{Side, cluster_terms};

declare_rule! {
    /// A property selector or sorter where it may not stand.
    ///
    /// ## Why it matters
    /// Required terms select (no `propertySorter`), preferred terms sort (no `propertySelector`). The webhook
    /// of ClusterResourcePlacement refuses the other way round; a ResourcePlacement ignores it.
    ///
    /// ## What to do
    /// Move it to the other list.
    pub static MISPLACED_PROPERTY_TERM = Rule {
        code: "FL1308",
        name: "misplaced-property-term",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Placement],
        check: misplaced_property_term,
    }
}

fn misplaced_property_term(cx: &mut Cx<'_>) {
    for manifest in cx.of(Kind::Placement) {
        for (term, side) in cluster_terms(manifest) {
            let (key, label) = match side {
                Side::Required => ("propertySorter", "required terms cannot sort"),
                Side::Preferred => {
                    ("propertySelector", "preferred terms cannot select by property")
                }
            };
            let Some(misplaced) = term.get(key) else { continue };
            let finding = MISPLACED_PROPERTY_TERM
                .on(&misplaced.key_place(), label)
                .layer(cx.hook_layer(manifest))
                .message(format!(
                    "{} {} has a {key} where it may not stand",
                    manifest.key.kind,
                    manifest.name()
                ))
                .why("required terms take a propertySelector, preferred terms a propertySorter");
            cx.report(finding);
        }
    }
}
