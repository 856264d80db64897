//! FL1407 duplicate-selector.

use std::collections::BTreeMap;

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::{At, fingerprint};
use crate::rule::Cx;
use crate::rules::manifest_selector::resource::resource_selectors;

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
    for manifest in cx.of(Kind::Placement) {
        let mut seen: BTreeMap<String, At<'_>> = BTreeMap::new();
        for selector in resource_selectors(manifest) {
            let print = fingerprint(selector.node);
            match seen.get(&print) {
                Some(other) => {
                    let what = format!(
                        "{} {}",
                        selector.text("kind").unwrap_or_default(),
                        selector.text("name").unwrap_or_default()
                    );
                    let finding = DUPLICATE_SELECTOR
                        .on(&selector.place(), "and again")
                        .also(other.place().span, "selected here")
                        .message(format!(
                            "{} {} selects {} twice",
                            manifest.key.kind,
                            manifest.name(),
                            what.trim()
                        ))
                        .why("the placement fails with \"found duplicate resource\"")
                        .fix(Safety::Safe, manifest.without(&selector.pointer()));
                    cx.report(finding);
                }
                None => drop(seen.insert(print, selector)),
            }
        }
    }
}
