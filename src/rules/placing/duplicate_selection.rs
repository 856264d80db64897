//! FL0615 duplicate-selection.

use crate::declare_rule;
use crate::finding::Severity;
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::chain::clip;
use crate::rules::commands::edit_command;
use crate::rules::placing::selection::{DUPLICATE, place_of, rejections, show_selector};

declare_rule! {
    /// Selectors of a placement that pick the same object more than once.
    ///
    /// ## Why it matters
    /// The controller refuses the whole selection: nothing is scheduled, and changes are no longer picked up. It looks
    /// again after half an hour only, or when the placement changes.
    ///
    /// ## What to do
    /// Drop one of the two selectors, or make them disjoint.
    pub static DUPLICATE_SELECTION = Rule {
        code: "FL0615",
        name: "duplicate-selection",
        severity: Severity::Error,
        reads: &[Kind::Placement],
        check: duplicate_selection,
    }
}

fn duplicate_selection(cx: &mut Cx<'_>) {
    for rejection in rejections(cx) {
        let Some(phrase) = rejection.said.find(DUPLICATE) else { continue };
        let key = &rejection.placement.meta.key;
        let words = phrase.words();
        let part = |name: &str| {
            let (_, rest) = words.split_once(name)?;
            rest.split([' ', '}']).next().filter(|value| !value.is_empty())
        };
        let resource = match (part("Kind:"), part("Name:")) {
            (Some(kind), Some(name)) => format!("{kind} {name}"),
            _ => clip(words),
        };
        let kind = part("Kind:").unwrap_or_default();
        let alike: Vec<_> = rejection
            .placement
            .selectors
            .iter()
            .filter(|selector| selector.kind.as_deref() == Some(kind))
            .collect();
        let first = alike.first().map(|selector| (place_of(selector), "picked by this"));
        let mut finding = rejection
            .tell(cx, &DUPLICATE_SELECTION, &phrase, first)
            .message(format!("{key} selects {resource} more than once, so its selectors are refused and nothing is scheduled"))
            .why("an object may be picked by one selector only; names and labels may not overlap")
            .command(edit_command(key));
        for selector in alike.iter().skip(1).take(3) {
            finding = finding.also(
                place_of(selector),
                format!("and perhaps by this: {}", show_selector(selector)),
            );
        }
        cx.report(finding);
    }
}
