//! FL1309 bad-property-requirement.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::kube::quantity::read_quantity;
use crate::manifest::property::property_trouble;
use crate::manifest::{At, Place};
use crate::rule::Cx;
use crate::rules::manifest_policy::term::{Side, cluster_terms, requirements};

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
    for manifest in cx.of(Kind::Placement) {
        for (term, side) in cluster_terms(manifest) {
            let mut troubles = Vec::new();
            if side == Side::Required {
                for requirement in requirements(&term) {
                    look(&requirement, &mut troubles);
                }
            }
            if let Some(name) = term.at(&["propertySorter", "name"])
                && let Some(why) = name.str().and_then(property_trouble)
            {
                troubles.push((name.place(), why));
            }
            for (place, why) in troubles {
                let finding = BAD_PROPERTY_REQUIREMENT
                    .on(&place, "cannot be read")
                    .layer(cx.hook_layer(manifest))
                    .message(format!("{} {}: {why}", manifest.key.kind, manifest.name()))
                    .why("a requirement is a property name, one of Gt, Ge, Lt, Le, Eq, Ne, and one quantity");
                cx.report(finding);
            }
        }
    }
}

fn look(requirement: &At<'_>, troubles: &mut Vec<(Place, String)>) {
    let place =
        |key: &str| requirement.get(key).map_or_else(|| requirement.missing(key), |at| at.place());
    if let Some(why) = requirement.text("name").and_then(property_trouble) {
        troubles.push((place("name"), format!("this is no property name: {why}")));
    }
    let operator = requirement.text("operator").unwrap_or_default();
    if !["Gt", "Ge", "Lt", "Le", "Eq", "Ne"].contains(&operator) {
        troubles
            .push((place("operator"), format!("`{operator}` is none of Gt, Ge, Lt, Le, Eq, Ne")));
        return;
    }
    let values = requirement.list("values");
    match values.as_slice() {
        [value] => {
            let text = value.str().unwrap_or_default();
            if value.str().is_some() && read_quantity(text).is_none() {
                troubles.push((value.place(), format!("`{text}` is no quantity")));
            }
        }
        _ => troubles.push((
            place("values"),
            format!("{operator} takes exactly one value, not {}", values.len()),
        )),
    }
}
