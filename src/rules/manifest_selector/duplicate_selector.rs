//! FL1407 duplicate-selector.

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::grammar::kind::Kind;
use crate::model::placement::{Placement, ResourceSelector};
use crate::rule::Cx;
use std::collections::BTreeMap;

declare_rule! {
    /// Two resource selectors that hit the same object.
    ///
    /// ## Why it matters
    /// An object that two selectors hit makes the whole placement fail: "found duplicate resource".
    ///
    /// ## What to do
    /// Remove one of the two.
    pub static DUPLICATE_SELECTOR = Rule {
        code: "FL1407",
        name: "duplicate-selector",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Placement],
        check: duplicate_selector,
    }
}

fn duplicate_selector(cx: &mut Cx<'_>) {
    for placement in cx.drafts::<Placement>() {
        let mut seen: BTreeMap<String, &ResourceSelector> = BTreeMap::new();
        for selector in &placement.object.selectors {
            let Some(identity) = selector.identity() else { continue };
            let first = *seen.entry(identity).or_insert(selector);
            if std::ptr::eq(first, selector) {
                continue;
            }
            let kind = selector.kind.as_deref().unwrap_or_default();
            let what = format!("{kind} {}", selector.name.as_deref().unwrap_or_default());
            let finding = DUPLICATE_SELECTOR
                .at_field(&selector.site.place(), "and again")
                .also(first.site.place().span, "selected here")
                .message(format!("{} selects {} twice", placement.show(), what.trim()))
                .why("the placement fails with \"found duplicate resource\"")
                .fix(Safety::Safe, placement.manifest.remove(&selector.site.pointer()));
            cx.report(finding);
        }
    }
}
