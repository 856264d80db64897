//! FL1703 both-budget-limits.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::eviction::Budget;
use crate::rule::Cx;

declare_rule! {
    /// A budget with both a maximum and a minimum.
    ///
    /// ## Why it matters
    /// The API server takes one of `maxUnavailable` and `minAvailable`, not both.
    ///
    /// ## What to do
    /// Remove one of the two.
    pub static BOTH_BUDGET_LIMITS = Rule {
        code: "FL1703",
        name: "both-budget-limits",
        severity: Severity::Error,
        layer: Layer::ApiServer,
        reads: &[Kind::DisruptionBudget],
        check: both_budget_limits,
    }
}

fn both_budget_limits(cx: &mut Cx<'_>) {
    for budget in cx.drafts::<Budget>() {
        let (Some(most), Some(least), Some(spec)) =
            (&budget.max_unavailable, &budget.min_available, budget.meta.spec())
        else {
            continue;
        };
        let rule = budget.manifest.server_rule("budget-both");
        let Some(rule) = rule.filter(|_| !budget.manifest.is_ratcheted(&spec.place())) else {
            continue;
        };
        let finding = BOTH_BUDGET_LIMITS
            .at_field(&least.site().key_place(), "and a minimum")
            .also(most.site().key_place().span, "a maximum")
            .message(format!("the budget {} has a maximum and a minimum", budget.name()))
            .why(&*rule.message);
        cx.report(finding);
    }
}
