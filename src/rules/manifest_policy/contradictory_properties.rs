//! FL1311 contradictory-properties.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::kube::quantity::read_quantity;
use crate::model::placement::Placement;
use crate::model::scheduling::PropertyDemand;
use crate::rule::Cx;
use std::collections::BTreeMap;

declare_rule! {
    /// Requirements on one property that exclude each other.
    ///
    /// ## Why it matters
    /// No cluster can meet them. The webhook of ClusterResourcePlacement refuses it; a ResourcePlacement never
    /// finds a cluster.
    ///
    /// ## What to do
    /// Remove one of them, or split them over two terms.
    pub static CONTRADICTORY_PROPERTIES = Rule {
        code: "FL1311",
        name: "contradictory-properties",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Placement],
        check: contradictory_properties,
    }
}

fn contradictory_properties(cx: &mut Cx<'_>) {
    for placement in cx.drafts::<Placement>() {
        for term in placement.policy.required_terms() {
            let mut bounds: BTreeMap<&str, Bounds<'_>> = BTreeMap::new();
            for demand in &term.properties {
                let value = demand.values.first().and_then(Option::as_ref);
                let value = value.and_then(|value| read_quantity(value));
                let (Some(name), Some(value)) = (&demand.name, value) else { continue };
                let operator = demand.operator.as_deref().unwrap_or_default();
                let known = bounds.entry(name).or_default();
                let Some((other, why)) = known.add(operator, value, demand) else { continue };
                let finding = CONTRADICTORY_PROPERTIES
                    .at_field(&demand.site.place(), "excludes the other")
                    .also(other.site.place().span, "this one")
                    .layer(cx.hook_layer(placement.manifest))
                    .message(format!(
                        "{}: the requirements on {} exclude each other: {why}",
                        placement.show(),
                        &**name
                    ))
                    .why("the requirements of one term have to hold together");
                cx.report(finding);
            }
        }
    }
}

/// What the requirements so far leave of a property.
#[derive(Default)]
struct Bounds<'t> {
    seen: Vec<(&'t str, f64, &'t PropertyDemand)>,
}

impl<'t> Bounds<'t> {
    /// Adds a requirement; returns the earlier one that it excludes.
    fn add(
        &mut self,
        operator: &'t str,
        value: f64,
        demand: &'t PropertyDemand,
    ) -> Option<(&'t PropertyDemand, &'static str)> {
        let clash = self.seen.iter().find_map(|(other, bound, earlier)| {
            clash(operator, value, other, *bound).map(|why| (*earlier, why))
        });
        self.seen.push((operator, value, demand));
        clash
    }
}

/// Says why two requirements cannot hold together.
fn clash(left: &str, a: f64, right: &str, b: f64) -> Option<&'static str> {
    let one_way = |left: &str, a: f64, right: &str, b: f64| match (left, right) {
        ("Eq", "Eq") if a != b => Some("two different values"),
        ("Eq", "Ne") if a == b => Some("a value and its opposite"),
        ("Eq", "Gt") if a <= b => Some("the value is not above the lower bound"),
        ("Eq", "Ge") if a < b => Some("the value is below the lower bound"),
        ("Eq", "Lt") if a >= b => Some("the value is not below the upper bound"),
        ("Eq", "Le") if a > b => Some("the value is above the upper bound"),
        ("Gt", "Lt" | "Le") | ("Ge", "Lt") if a >= b => Some("nothing lies between the bounds"),
        ("Ge", "Le") if a > b => Some("nothing lies between the bounds"),
        _ => None,
    };
    one_way(left, a, right, b).or_else(|| one_way(right, b, left, a))
}
