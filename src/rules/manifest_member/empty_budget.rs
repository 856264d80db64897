//! FL1702 empty-budget.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
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
    for manifest in cx.of(Kind::DisruptionBudget) {
        let Some(spec) = manifest.stored().get("spec") else { continue };
        if spec.get("maxUnavailable").is_some() || spec.get("minAvailable").is_some() {
            continue;
        }
        let finding = EMPTY_BUDGET
            .on(&spec.place(), "neither maximum nor minimum")
            .message(format!("the budget {} blocks every eviction", manifest.name()))
            .why("without a number the allowance is 0");
        cx.report(finding);
    }
}
