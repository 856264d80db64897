//! FL1404 impossible-selector.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::labels::{read_selector, selectors_in};
use crate::rule::Cx;

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
    for family in [Kind::Strategy, Kind::Placement, Kind::Override] {
        for manifest in cx.of(family) {
            for at in selectors_in(&manifest.stored()) {
                let Some(selector) = read_selector(&at) else { continue };
                // An operator without values is a fault of its own.
                let empty = at.list("matchExpressions").iter().any(|term| {
                    term.text("operator") == Some("In") && term.list("values").is_empty()
                });
                let Some(key) = selector.contradiction().filter(|_| !empty) else { continue };
                let finding = IMPOSSIBLE_SELECTOR
                    .on(&at.place(), format!("`{key}` cannot be all of this at once"))
                    .message(format!(
                        "a label selector of {} {} can never match",
                        manifest.key.kind,
                        manifest.name()
                    ))
                    .why(format!("what it demands of the label `{key}` contradicts itself"));
                cx.report(finding);
            }
        }
    }
}
