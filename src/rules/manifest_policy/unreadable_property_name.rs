//! FL1310 unreadable-property-name.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::cluster::RESOURCE_PREFIX;
use crate::model::placement::Placement;
use crate::rule::Cx;

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
    for placement in cx.drafts::<Placement>() {
        for name in placement.policy.property_names() {
            let resource = name.strip_prefix(RESOURCE_PREFIX);
            if resource.is_none_or(|resource| resource.matches('-').count() < 2) {
                continue;
            }
            let finding = UNREADABLE_PROPERTY_NAME
                .at_field(&name.place(), "two dashes")
                .message(format!(
                    "{}: the scheduler cannot read this property name",
                    placement.show()
                ))
                .why("it splits the name at every dash and expects two parts");
            cx.report(finding);
        }
    }
}
