//! FL1311 contradictory-properties.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::kube::quantity::read_quantity;
use crate::manifest::At;
use crate::rule::Cx;
use crate::rules::manifest_policy::term::{Side, cluster_terms, requirements};
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
    for manifest in cx.of(Kind::Placement) {
        for (term, side) in cluster_terms(manifest) {
            let mut bounds: BTreeMap<&str, Bounds<'_>> = BTreeMap::new();
            for requirement in requirements(&term).into_iter().filter(|_| side == Side::Required) {
                let value = requirement
                    .list("values")
                    .first()
                    .and_then(|value| read_quantity(value.str()?));
                let (Some(name), Some(value)) = (requirement.text("name"), value) else { continue };
                let operator = requirement.text("operator").unwrap_or_default();
                let known = bounds.entry(name).or_default();
                let Some((other, why)) = known.add(operator, value, &requirement) else { continue };
                let finding = CONTRADICTORY_PROPERTIES
                    .on(&requirement.place(), "excludes the other")
                    .also(other.place().span, "this one")
                    .layer(cx.hook_layer(manifest))
                    .message(format!(
                        "{} {}: the requirements on {name} exclude each other: {why}",
                        manifest.key.kind,
                        manifest.name()
                    ))
                    .why("the requirements of one term have to hold together");
                cx.report(finding);
            }
        }
    }
}

/// What the requirements so far leave of a property.
#[derive(Default)]
struct Bounds<'m> {
    seen: Vec<(String, f64, At<'m>)>,
}

impl<'m> Bounds<'m> {
    /// Adds a requirement; returns the earlier one that it excludes.
    fn add(&mut self, operator: &str, value: f64, at: &At<'m>) -> Option<(At<'m>, &'static str)> {
        let clash = self.seen.iter().find_map(|(other, bound, place)| {
            clash(operator, value, other, *bound).map(|why| (place.clone(), why))
        });
        self.seen.push((operator.to_owned(), value, at.clone()));
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
