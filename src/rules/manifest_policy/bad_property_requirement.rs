//! FL1309 bad-property-requirement.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::kube::quantity::read_quantity;
use crate::manifest::FieldPlace;
use crate::manifest::property::property_trouble;
use crate::model::placement::Placement;
use crate::model::read::{Site, Text};
use crate::model::scheduling::{PropertyDemand, Strength};
use crate::rule::Cx;

declare_rule! {
    /// A requirement on a cluster property that cannot be read.
    ///
    /// ## Why it matters
    /// Operators are Gt, Ge, Lt, Le, Eq and Ne, each with exactly one value, which is a Kubernetes quantity;
    /// names have a form of their own. The webhook of ClusterResourcePlacement refuses others; for a
    /// ResourcePlacement scheduling fails.
    ///
    /// ## What to do
    /// Correct operator, value or name.
    pub static BAD_PROPERTY_REQUIREMENT = Rule {
        code: "FL1309",
        name: "bad-property-requirement",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Placement],
        check: bad_property_requirement,
    }
}

fn bad_property_requirement(cx: &mut Cx<'_>) {
    for placement in cx.drafts::<Placement>() {
        for (term, strength) in placement.policy.terms() {
            let mut troubles = Vec::new();
            if strength == Strength::Required {
                for demand in &term.properties {
                    look(demand, &mut troubles);
                }
            }
            if let Some(name) = &term.sorted_by
                && let Some(why) = property_trouble(name)
            {
                troubles.push((name.place(), why));
            }
            for (place, why) in troubles {
                let finding = BAD_PROPERTY_REQUIREMENT
                    .at_field(&place, "cannot be read")
                    .layer(cx.hook_layer(placement.manifest))
                    .message(format!("{}: {why}", placement.show()))
                    .why(
                        "a requirement is a property name, one of Gt, Ge, Lt, Le, Eq, Ne, and one \
                         quantity",
                    );
                cx.report(finding);
            }
        }
    }
}

fn look(demand: &PropertyDemand, troubles: &mut Vec<(FieldPlace, String)>) {
    if let Some(name) = &demand.name
        && let Some(why) = property_trouble(name)
    {
        troubles.push((name.place(), format!("this is no property name: {why}")));
    }
    let operator = demand.operator.as_deref().unwrap_or_default();
    if !["Gt", "Ge", "Lt", "Le", "Eq", "Ne"].contains(&operator) {
        let place = demand.operator.as_ref().map(Text::place);
        let place = place.unwrap_or_else(|| demand.site.missing("operator"));
        troubles.push((place, format!("`{operator}` is none of Gt, Ge, Lt, Le, Eq, Ne")));
        return;
    }
    match &*demand.values {
        [Some(value)] if read_quantity(value).is_none() => {
            troubles.push((value.place(), format!("`{}` is no quantity", &**value)));
        }
        [_] => {}
        values => {
            let place = demand.values.site.as_ref().map(Site::place);
            let place = place.unwrap_or_else(|| demand.site.missing("values"));
            let count = values.len();
            troubles.push((place, format!("{operator} takes exactly one value, not {count}")));
        }
    }
}
