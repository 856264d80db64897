//! FL1704 bad-budget-number.

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::grammar::kind::Kind;
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
    for manifest in cx.of(Kind::DisruptionBudget) {
        let Some(spec) = manifest.stored().get("spec") else { continue };
        for (key, id) in
            [("maxUnavailable", "budget-max-form"), ("minAvailable", "budget-min-form")]
        {
            let (Some(value), Some(rule)) = (spec.get(key), manifest.server_rule(id)) else {
                continue;
            };
            let fine = match (value.int(), value.str()) {
                (Some(number), _) => number >= 0,
                (_, Some(text)) => is_percentage(text),
                _ => true,
            };
            if fine || manifest.is_ratcheted(&value.place()) {
                continue;
            }
            let finding = BAD_BUDGET_NUMBER
                .on(&value.place(), "neither a number nor a percentage")
                .message(format!("{key} of the budget {} is not valid", manifest.name()))
                .why(&*rule.message)
                .fix(Safety::Safe, manifest.unquoted(&value.pointer()));
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
