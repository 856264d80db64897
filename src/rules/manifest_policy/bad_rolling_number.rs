//! FL1319 bad-rolling-number.

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::grammar::kind::Kind;
use crate::model::placement::Placement;
use crate::rule::Cx;

declare_rule! {
    /// A rolling update number in quotes, or a negative one.
    ///
    /// ## Why it matters
    /// Digits in quotes are neither a number nor a percentage, and nothing can be less than zero. The API
    /// server lets both pass; the webhook of ClusterResourcePlacement refuses them, and in a ResourcePlacement
    /// the rollout cannot be computed.
    ///
    /// ## What to do
    /// Write `1` without quotes, or `"25%"`.
    pub static BAD_ROLLING_NUMBER = Rule {
        code: "FL1319",
        name: "bad-rolling-number",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Placement],
        check: bad_rolling_number,
    }
}

fn bad_rolling_number(cx: &mut Cx<'_>) {
    for placement in cx.drafts::<Placement>() {
        let numbers =
            [("maxUnavailable", &placement.max_unavailable), ("maxSurge", &placement.max_surge)];
        for (key, value) in numbers {
            let Some(value) = value else { continue };
            let digits =
                |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            let why = match value.int() {
                Some(number) if number < 0 => "it is negative",
                None if digits(value) => "a number is written without quotes",
                _ => continue,
            };
            let finding = BAD_ROLLING_NUMBER
                .at_field(&value.place(), why)
                .layer(cx.hook_layer(placement.manifest))
                .message(format!("{key} of {} is not valid: {why}", placement.show()))
                .hint("write a number from 0 on, or a percentage like \"25%\"")
                .fix(Safety::Safe, placement.manifest.unquoted(&value.pointer()));
            cx.report(finding);
        }
    }
}
