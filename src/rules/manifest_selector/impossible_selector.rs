//! FL1404 impossible-selector.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::kube::selector::Selector;
use crate::model::selector::Expression;
use crate::rule::Cx;
use crate::rules::manifest_selector::label_selectors::judged_selectors;

declare_rule! {
    /// A label selector that contradicts itself.
    ///
    /// ## Why it matters
    /// No labels can meet it, so it selects nothing.
    ///
    /// ## What to do
    /// Remove one of the contradicting requirements.
    pub static IMPOSSIBLE_SELECTOR = Rule {
        code: "FL1404",
        name: "impossible-selector",
        severity: Severity::Warning,
        layer: Layer::Advice,
        reads: &[Kind::Strategy, Kind::Placement, Kind::Override],
        check: impossible_selector,
    }
}

fn impossible_selector(cx: &mut Cx<'_>) {
    for (manifest, selector) in judged_selectors(cx) {
        // An operator without values is a fault of its own.
        let empty = |item: &Expression| &*item.operator == "In" && item.values.is_empty();
        if selector.expressions.iter().any(empty) {
            continue;
        }
        let plain = selector.plain().filter(Selector::is_valid);
        let Some(key) = plain.and_then(|plain| plain.contradiction()) else { continue };
        let finding = IMPOSSIBLE_SELECTOR
            .at_field(&selector.site.place(), format!("`{key}` cannot be all of this at once"))
            .message(format!(
                "a label selector of {} {} can never match",
                manifest.key.kind,
                manifest.name()
            ))
            .why(format!("what it demands of the label `{key}` contradicts itself"));
        cx.report(finding);
    }
}
