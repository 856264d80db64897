//! FL1402 operator-values.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::labels::selectors_in;
use crate::rule::Cx;

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
    for family in [Kind::Strategy, Kind::Placement, Kind::Override] {
        for manifest in cx.of(family) {
            for selector in selectors_in(&manifest.stored()) {
                for term in selector.list("matchExpressions") {
                    let values = term.list("values").len();
                    let word = term.text("operator").unwrap_or_default();
                    let label = match word {
                        "In" | "NotIn" if values == 0 => "needs values",
                        "Exists" | "DoesNotExist" if values > 0 => "takes no values",
                        _ => continue,
                    };
                    let place = term
                        .get("operator")
                        .map_or_else(|| term.place(), |operator| operator.place());
                    let finding = OPERATOR_VALUES
                        .on(&place, label)
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
    }
}
