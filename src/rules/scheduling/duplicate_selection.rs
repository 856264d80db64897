//! FL0615 duplicate-selection.

use crate::declare_rule;
use crate::finding::Severity;
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::commands::edit_command;
use crate::rules::scheduling::selector_finding::{DUPLICATE, finding_for_selector};
use crate::rules::sentence::clip;

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
    for rejection in cx.refused_selections() {
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
        let first = alike.first().map(|selector| (selector.place(), "selects it"));
        let mut finding = finding_for_selector(rejection, cx, &DUPLICATE_SELECTION, &phrase, first)
            .message(format!("{key} selects {resource} more than once, so nothing is scheduled."))
            .why("The controller refuses all selectors if two of them select the same object.")
            .step(edit_command(key), "opens it to remove one of the two selectors");
        for selector in alike.iter().skip(1).take(3) {
            finding =
                finding.also(selector.place(), format!("may select it, too: {}", selector.show()));
        }
        cx.report(finding);
    }
}
