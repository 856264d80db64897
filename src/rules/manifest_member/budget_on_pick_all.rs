//! FL1705 budget-on-pick-all.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;

declare_rule! {
    /// A budget that does not go with a placement that picks all clusters.
    ///
    /// ## Why it matters
    /// PickAll has no number of clusters to count from, so only a whole number as minAvailable makes sense; the
    /// webhook refuses others, and evictions are blocked by them.
    ///
    /// ## What to do
    /// Use `minAvailable` with a whole number.
    pub static BUDGET_ON_PICK_ALL = Rule {
        code: "FL1705",
        name: "budget-on-pick-all",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::DisruptionBudget, Kind::Placement],
        check: budget_on_pick_all,
    }
}

fn budget_on_pick_all(cx: &mut Cx<'_>) {
    for manifest in cx.of(Kind::DisruptionBudget) {
        let Some(spec) = manifest.stored().get("spec") else { continue };
        let Some(placement) =
            cx.repository().find_beside(manifest, "ClusterResourcePlacement", manifest.name())
        else {
            continue;
        };
        let kind = placement.stored().at(&["spec", "policy", "placementType"]);
        if kind.is_some_and(|kind| kind.str() != Some("PickAll")) {
            continue;
        }
        let value = match (spec.get("maxUnavailable"), spec.get("minAvailable")) {
            (Some(most), _) => most,
            (None, Some(least)) if least.str().is_some() => least,
            _ => continue,
        };
        let finding = BUDGET_ON_PICK_ALL
            .on(&value.place(), "needs a number of clusters to count from")
            .also(placement.name_place().span, "picks all clusters")
            .layer(cx.hook_layer(manifest))
            .message(format!(
                "the budget {} does not go with its placement, which picks all clusters",
                manifest.name()
            ))
            .why("with PickAll only minAvailable as a whole number is supported");
        cx.report(finding);
    }
}
