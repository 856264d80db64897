//! FL1705 budget-on-pick-all.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::Draft;
use crate::model::eviction::Budget;
use crate::model::placement::Placement;
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
    for budget in cx.drafts::<Budget>() {
        let repository = cx.repository();
        let found =
            repository.find_beside(budget.manifest, "ClusterResourcePlacement", budget.name());
        let Some(placement) = found.and_then(Draft::<Placement>::of) else { continue };
        if placement.policy.kind() != "PickAll" {
            continue;
        }
        let Some(value) = budget.object.limit_against_pick_all() else { continue };
        let finding = BUDGET_ON_PICK_ALL
            .at_field(&value.place(), "needs a number of clusters to count from")
            .also(placement.manifest.name_place().span, "picks all clusters")
            .layer(cx.hook_layer(budget.manifest))
            .message(format!(
                "the budget {} does not go with its placement, which picks all clusters",
                budget.name()
            ))
            .why("with PickAll only minAvailable as a whole number is supported");
        cx.report(finding);
    }
}
