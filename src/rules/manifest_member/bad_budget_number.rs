//! FL1704 bad-budget-number.

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::grammar::kind::Kind;
use crate::model::eviction::Budget;
use crate::rule::Cx;

declare_rule! {
    /// A budget that is neither a number nor a percentage.
    ///
    /// ## Why it matters
    /// A number is written without quotes and is not negative; a percentage is text from `0%` to `100%`.
    ///
    /// ## What to do
    /// Write `1` or `"25%"`.
    pub static BAD_BUDGET_NUMBER = Rule {
        code: "FL1704",
        name: "bad-budget-number",
        severity: Severity::Error,
        layer: Layer::ApiServer,
        reads: &[Kind::DisruptionBudget],
        check: bad_budget_number,
    }
}

fn bad_budget_number(cx: &mut Cx<'_>) {
    for budget in cx.drafts::<Budget>() {
        let limits = [
            ("maxUnavailable", &budget.max_unavailable, "budget-max-form"),
            ("minAvailable", &budget.min_available, "budget-min-form"),
        ];
        for (key, value, id) in limits {
            let (Some(value), Some(rule)) = (value, budget.manifest.server_rule(id)) else {
                continue;
            };
            let fine = value.int().map_or_else(|| is_percentage(value), |number| number >= 0);
            if fine || budget.manifest.is_ratcheted(&value.place()) {
                continue;
            }
            let finding = BAD_BUDGET_NUMBER
                .at_field(&value.place(), "neither a number nor a percentage")
                .message(format!("{key} of the budget {} is not valid", budget.name()))
                .why(&*rule.message)
                .fix(Safety::Safe, budget.manifest.unquoted(&value.pointer()));
            cx.report(finding);
        }
    }
}

/// Says whether a text is a percentage from `0%` to `100%`.
fn is_percentage(text: &str) -> bool {
    text.strip_suffix('%').is_some_and(|digits| {
        digits == "100"
            || (matches!(digits.len(), 1 | 2) && digits.bytes().all(|byte| byte.is_ascii_digit()))
    })
}
