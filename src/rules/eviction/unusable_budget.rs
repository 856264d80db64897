//! FL0654 unusable-budget.

use crate::declare_rule;
use crate::finding::{Finding, Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::graph::Listing;
use crate::model::eviction::Budget;
use crate::model::key::ObjectKey;
use crate::model::read::SpanOr;
use crate::rule::Cx;
use crate::rules::commands::edit_command;

declare_rule! {
    /// A disruption budget that protects nothing, or blocks everything.
    ///
    /// ## Why it matters
    /// A budget belongs to the ClusterResourcePlacement of its own name; under another name it does nothing. For a PickAll
    /// placement only a whole `minAvailable` can be judged: with `maxUnavailable` or a percentage every eviction is
    /// blocked.
    ///
    /// ## What to do
    /// Give it the name of the placement, and for PickAll a whole number in `minAvailable`.
    pub static UNUSABLE_BUDGET = Rule {
        code: "FL0654",
        name: "unusable-budget",
        severity: Severity::Warning,
        reads: &[Kind::DisruptionBudget, Kind::Placement],
        check: unusable_budget,
    }
}

fn unusable_budget(cx: &mut Cx<'_>) {
    for budget in cx.budgets() {
        if let Some(finding) = describe(cx, budget) {
            cx.report(finding.recover(Recoverability::ResumesAfterRepair));
        }
    }
}

fn describe(cx: &Cx<'_>, budget: &Budget) -> Option<Finding> {
    let name = budget.meta.name();
    let key = ObjectKey::of(Kind::Placement, "", name);
    let Some(placement) = cx.find_placement_by(&key) else {
        let listed = cx.listing("ClusterResourcePlacement", "") == Listing::All;
        let finding = UNUSABLE_BUDGET.at(budget.meta.name_span, "no placement of this name");
        return listed.then(|| {
            finding
                .message(format!(
                    "Disruption budget {name} protects nothing: there is no \
                     ClusterResourcePlacement {name}."
                ))
                .why("A budget belongs to the ClusterResourcePlacement of its own name.")
                .then("Create the budget under the name of the placement that it should protect.")
        });
    };
    if placement.policy.kind() != "PickAll" || placement.meta.partial {
        return None;
    }
    let value = budget.limit_against_pick_all()?;
    let field = match &budget.max_unavailable {
        Some(_) => "maxUnavailable",
        None => "a percentage in minAvailable",
    };
    let kind = placement.policy.kind.span_or(placement.meta.name_span);
    Some(
        UNUSABLE_BUDGET
            .at(value.span, "does not work for PickAll")
            .also(kind, "the placement is PickAll")
            .message(format!(
                "Disruption budget {name} blocks every eviction: placement {name} is PickAll, and \
                 {field} does not work for it."
            ))
            .why(
                "A PickAll placement has no wanted number to count against. Only a whole number \
                  in minAvailable works.",
            )
            .then("The next eviction is checked against the corrected budget.")
            .step(edit_command(&budget.meta.key), "opens it to set a whole minAvailable"),
    )
}
