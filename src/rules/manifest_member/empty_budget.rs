//! FL1702 empty-budget.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::eviction::Budget;
use crate::rule::Cx;

declare_rule! {
    /// A budget that says nothing.
    ///
    /// ## Why it matters
    /// With neither maxUnavailable nor minAvailable the allowance is computed as 0: every eviction is blocked.
    ///
    /// ## What to do
    /// Set one of the two.
    pub static EMPTY_BUDGET = Rule {
        code: "FL1702",
        name: "empty-budget",
        severity: Severity::Warning,
        layer: Layer::Advice,
        reads: &[Kind::DisruptionBudget],
        check: empty_budget,
    }
}

fn empty_budget(cx: &mut Cx<'_>) {
    for budget in cx.drafts::<Budget>() {
        let Some(spec) = budget.meta.spec() else { continue };
        if spec.absent("maxUnavailable").is_none() || spec.absent("minAvailable").is_none() {
            continue;
        }
        let finding = EMPTY_BUDGET
            .at_field(&spec.place(), "neither maximum nor minimum")
            .message(format!("the budget {} blocks every eviction", budget.name()))
            .why("without a number the allowance is 0");
        cx.report(finding);
    }
}
