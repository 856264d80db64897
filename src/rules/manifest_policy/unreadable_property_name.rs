//! FL1310 unreadable-property-name.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::At;
use crate::model::cluster::RESOURCE_PREFIX;
use crate::rule::Cx;
use crate::rules::manifest_policy::term::{cluster_terms, requirements};

declare_rule! {
    /// A resource property with a dash in the name of the resource.
    ///
    /// ## Why it matters
    /// The webhook splits `available-a-b` after the capacity and lets it pass; the scheduler splits at every
    /// dash and fails with "invalid resource property name".
    ///
    /// ## What to do
    /// Resources whose name holds a dash cannot be used here.
    pub static UNREADABLE_PROPERTY_NAME = Rule {
        code: "FL1310",
        name: "unreadable-property-name",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Placement],
        check: unreadable_property_name,
    }
}

fn unreadable_property_name(cx: &mut Cx<'_>) {
    for manifest in cx.of(Kind::Placement) {
        for (term, _) in cluster_terms(manifest) {
            let mut names: Vec<At<'_>> =
                requirements(&term).iter().filter_map(|r| r.get("name")).collect();
            names.extend(term.at(&["propertySorter", "name"]));
            for name in names {
                let resource = name.str().and_then(|text| text.strip_prefix(RESOURCE_PREFIX));
                if resource.is_none_or(|resource| resource.matches('-').count() < 2) {
                    continue;
                }
                let finding = UNREADABLE_PROPERTY_NAME
                    .on(&name.place(), "two dashes")
                    .message(format!(
                        "{} {}: the scheduler cannot read this property name",
                        manifest.key.kind,
                        manifest.name()
                    ))
                    .why("it splits the name at every dash and expects two parts");
                cx.report(finding);
            }
        }
    }
}
