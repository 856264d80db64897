//! FL1401 unknown-operator.

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::grammar::kind::Kind;
use crate::kube::selector::OPERATORS;
use crate::rule::Cx;
use crate::rules::manifest_selector::label_selectors::judged_selectors;

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
    for (manifest, selector) in judged_selectors(cx) {
        for operator in selector.expressions.iter().map(|item| &item.operator) {
            if OPERATORS.contains(&&**operator) {
                continue;
            }
            let near = OPERATORS.iter().find(|known| known.eq_ignore_ascii_case(operator));
            let help = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("there are {}", OPERATORS.join(", ")),
            };
            let fix = near.and_then(|near| manifest.replace(&operator.pointer(), *near));
            let finding = UNKNOWN_OPERATOR
                .at_field(&operator.place(), "no such operator")
                .layer(cx.hook_layer(manifest))
                .message(format!(
                    "{} {}: `{}` is no operator of a label selector",
                    manifest.key.kind,
                    manifest.name(),
                    &**operator
                ))
                .hint(help)
                .fix(Safety::Safe, fix);
            cx.report(finding);
        }
    }
}
