//! FL1308 misplaced-property-term.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::placement::Placement;
use crate::model::scheduling::Strength;
use crate::rule::Cx;

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
    for placement in cx.drafts::<Placement>() {
        for (term, strength) in placement.policy.terms() {
            let (key, misplaced, label) = match strength {
                Strength::Required => {
                    ("propertySorter", term.property_sorter, "required terms cannot sort")
                }
                Strength::Preferred => (
                    "propertySelector",
                    term.property_selector,
                    "preferred terms cannot select by property",
                ),
            };
            let Some(misplaced) = misplaced else { continue };
            let finding = MISPLACED_PROPERTY_TERM
                .at_field(&misplaced.key_place(), label)
                .layer(cx.hook_layer(placement.manifest))
                .message(format!("{} has a {key} where it may not stand", placement.show()))
                .why("required terms take a propertySelector, preferred terms a propertySorter");
            cx.report(finding);
        }
    }
}
