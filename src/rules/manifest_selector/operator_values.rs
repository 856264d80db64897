//! FL1402 operator-values.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::manifest_selector::label_selectors::judged_selectors;

declare_rule! {
    /// A label selector whose values do not go with its operator.
    ///
    /// ## Why it matters
    /// In and NotIn need values, Exists and DoesNotExist take none; otherwise the selector cannot be read.
    ///
    /// ## What to do
    /// Add values, or remove them.
    pub static OPERATOR_VALUES = Rule {
        code: "FL1402",
        name: "operator-values",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Strategy, Kind::Placement, Kind::Override],
        check: operator_values,
    }
}

fn operator_values(cx: &mut Cx<'_>) {
    for (manifest, selector) in judged_selectors(cx) {
        for item in selector.expressions.iter().filter(|item| !item.hides_values()) {
            let (word, values) = (&*item.operator, item.values.len());
            let label = match word {
                "In" | "NotIn" if values == 0 => "needs values",
                "Exists" | "DoesNotExist" if values > 0 => "takes no values",
                _ => continue,
            };
            let finding = OPERATOR_VALUES
                .at_field(&item.operator.place(), label)
                .layer(cx.hook_layer(manifest))
                .message(format!(
                    "{} {}: operator {word} with {values} values",
                    manifest.key.kind,
                    manifest.name()
                ))
                .why("In and NotIn need values, Exists and DoesNotExist take none");
            cx.report(finding);
        }
    }
}
