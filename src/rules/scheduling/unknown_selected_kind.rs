//! FL0617 unknown-selected-kind.

use crate::declare_rule;
use crate::finding::Severity;
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::rule::Cx;
use crate::rules::commands::look_at_hub;
use crate::rules::scheduling::selector_finding::{UNKNOWN_KIND, finding_for_selector};

declare_rule! {
    /// A placement that selects a kind which the hub does not serve.
    ///
    /// ## Why it matters
    /// The controller looks the kind up on the hub. Without its CRD there the whole selection is refused and nothing is
    /// scheduled, even if all members know the kind.
    ///
    /// ## What to do
    /// Install the CRD on the hub, correct group, version and kind, or wrap the object in an envelope.
    pub static UNKNOWN_SELECTED_KIND = Rule {
        code: "FL0617",
        name: "unknown-selected-kind",
        severity: Severity::Error,
        reads: &[Kind::Placement],
        check: unknown_selected_kind,
    }
}

fn unknown_selected_kind(cx: &mut Cx<'_>) {
    for rejection in cx.refused_selections() {
        let Some(phrase) = rejection.said.find(UNKNOWN_KIND) else { continue };
        let key = &rejection.placement.meta.key;
        let nomatch = rejection.said.find(&[id::K8S_NOMATCH]);
        let kind = nomatch.and_then(|phrase| phrase.get("kind"));
        let version = nomatch.and_then(|phrase| phrase.get("group-version"));
        let selector = kind.and_then(|kind| rejection.find_selector(kind, None));
        let place = selector
            .and_then(|selector| selector.kind.as_ref())
            .map(|kind| (kind.span, "the hub does not serve this kind"));
        let what = match (kind, version) {
            (Some(kind), Some(version)) => format!("kind {kind} of {version}"),
            _ => "a kind".to_owned(),
        };
        let finding = finding_for_selector(rejection, cx, &UNKNOWN_SELECTED_KIND, &phrase, place)
            .message(format!(
                "{key} selects {what}, which the hub does not serve, so nothing is scheduled."
            ))
            .why(
                "The controller looks the kind up on the hub. Its CustomResourceDefinition has to \
                  be installed there, even if all members have it.",
            )
            .then(format!(
                "{} is scheduled within seconds of a change of its selectors, and within 30m of \
                 an installed CustomResourceDefinition.",
                key.name
            ))
            .hint("An envelope can carry an object of a kind that the hub does not serve.")
            .step(
                look_at_hub().words("get customresourcedefinitions").build(),
                "shows which CustomResourceDefinitions the hub has",
            );
        cx.report(finding);
    }
}
