//! FL1703 both-budget-limits.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
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
    for manifest in cx.of(Kind::DisruptionBudget) {
        let Some(spec) = manifest.stored().get("spec") else { continue };
        let (Some(most), Some(least)) = (spec.get("maxUnavailable"), spec.get("minAvailable"))
        else {
            continue;
        };
        let Some(rule) =
            manifest.server_rule("budget-both").filter(|_| !manifest.is_ratcheted(&spec.place()))
        else {
            continue;
        };
        let finding = BOTH_BUDGET_LIMITS
            .on(&least.key_place(), "and a minimum")
            .also(most.key_span(), "a maximum")
            .message(format!("the budget {} has a maximum and a minimum", manifest.name()))
            .why(&*rule.message);
        cx.report(finding);
    }
}
