//! FL1401 unknown-operator.

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::grammar::kind::Kind;
use crate::kube::selector::OPERATORS;
use crate::manifest::labels::selectors_in;
use crate::rule::Cx;

declare_rule! {
    /// A label selector with an operator that does not exist.
    ///
    /// ## Why it matters
    /// The API server does not look at the word. The webhooks refuse it in placements and overrides; in a
    /// strategy nobody does, and every run fails at initialization.
    ///
    /// ## What to do
    /// Use In, NotIn, Exists or DoesNotExist.
    pub static UNKNOWN_OPERATOR = Rule {
        code: "FL1401",
        name: "unknown-operator",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Strategy, Kind::Placement, Kind::Override],
        check: unknown_operator,
    }
}

fn unknown_operator(cx: &mut Cx<'_>) {
    for family in [Kind::Strategy, Kind::Placement, Kind::Override] {
        for manifest in cx.of(family) {
            for selector in selectors_in(&manifest.stored()) {
                for term in selector.list("matchExpressions") {
                    let Some(operator) = term.get("operator") else { continue };
                    let Some(word) = operator.str().filter(|word| !OPERATORS.contains(word)) else {
                        continue;
                    };
                    let near = OPERATORS.iter().find(|known| known.eq_ignore_ascii_case(word));
                    let help = match near {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => format!("there are {}", OPERATORS.join(", ")),
                    };
                    let finding = UNKNOWN_OPERATOR
                        .on(&operator.place(), "no such operator")
                        .layer(cx.hook_layer(manifest))
                        .message(format!(
                            "{} {}: `{word}` is no operator of a label selector",
                            manifest.key.kind,
                            manifest.name()
                        ))
                        .hint(help)
                        .fix(
                            Safety::Safe,
                            near.and_then(|near| manifest.reworded(&operator.pointer(), *near)),
                        );
                    cx.report(finding);
                }
            }
        }
    }
}
