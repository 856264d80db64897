//! FL1701 unbound-budget.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;

declare_rule! {
    /// A budget without a placement of its name.
    ///
    /// ## Why it matters
    /// A budget protects the ClusterResourcePlacement that has the same name; with another name it protects
    /// nothing.
    ///
    /// ## What to do
    /// Give the budget the name of its placement.
    pub static UNBOUND_BUDGET = Rule {
        code: "FL1701",
        name: "unbound-budget",
        severity: Severity::Warning,
        layer: Layer::Advice,
        reads: &[Kind::DisruptionBudget, Kind::Placement],
        check: unbound_budget,
    }
}

fn unbound_budget(cx: &mut Cx<'_>) {
    for manifest in cx.of(Kind::DisruptionBudget) {
        if cx.repository().find("ClusterResourcePlacement", "", manifest.name()).is_some() {
            continue;
        }
        let finding = UNBOUND_BUDGET
            .at_field(&manifest.name_place(), "no placement of this name here")
            .message(format!("the budget {} protects nothing that is found here", manifest.name()))
            .why("a budget protects the ClusterResourcePlacement that has the same name")
            .meant(cx.repository().nearest(
                manifest.span,
                "ClusterResourcePlacement",
                "",
                manifest.name(),
            ));
        cx.report(cx.missing(finding));
    }
}
