//! FL0618 selection-out-of-scope.

use crate::declare_rule;
use crate::finding::Severity;
use crate::grammar::kind::{Kind, find_resource};
use crate::rule::Cx;
use crate::rules::commands::edit_command;
use crate::rules::scheduling::selector_finding::{WRONG_SCOPE, finding_for_selector};

declare_rule! {
    /// A placement that selects a kind of the other scope.
    ///
    /// ## Why it matters
    /// A ResourcePlacement selects namespaced objects of its own namespace only; a ClusterResourcePlacement selects
    /// cluster-scoped objects, and what is in a namespace by the namespace. Anything else is refused with the whole
    /// selection, so that nothing is scheduled.
    ///
    /// ## What to do
    /// Select the object in a placement of its own scope.
    pub static SELECTION_OUT_OF_SCOPE = Rule {
        code: "FL0618",
        name: "selection-out-of-scope",
        severity: Severity::Error,
        reads: &[Kind::Placement],
        check: selection_out_of_scope,
    }
}

fn selection_out_of_scope(cx: &mut Cx<'_>) {
    for rejection in cx.refused_selections() {
        let Some(phrase) = rejection.said.find(WRONG_SCOPE) else { continue };
        let key = &rejection.placement.meta.key;
        let plural =
            phrase.words().split_once("Resource=").and_then(|(_, rest)| rest.split(' ').next());
        let known = plural.and_then(find_resource).map(|spec| spec.name);
        let selector = rejection.placement.selectors.iter().find(|selector| {
            let kind = selector.kind.as_deref().unwrap_or_default();
            known == Some(kind)
                || plural.is_some_and(|plural| plural.starts_with(&kind.to_ascii_lowercase()))
        });
        let kind = selector.and_then(|selector| selector.kind.as_ref());
        let name = selector.and_then(|selector| selector.name.as_deref());
        let what = kind.map(|kind| &**kind).or(known).or(plural).unwrap_or("a kind");
        let what = name.map_or_else(|| what.to_owned(), |name| format!("{what} {name}"));
        let (scope, remedy) = if key.namespace.is_empty() {
            (
                "namespaced",
                "A ClusterResourcePlacement places namespaced objects only with their namespace. \
                 Select the namespace, or use a ResourcePlacement in it.",
            )
        } else {
            (
                "cluster-scoped",
                "A ResourcePlacement places only objects of its own namespace. Use a \
                 ClusterResourcePlacement for cluster-scoped objects.",
            )
        };
        let place = kind.map(|kind| (kind.span, "of the other scope"));
        let finding = finding_for_selector(rejection, cx, &SELECTION_OUT_OF_SCOPE, &phrase, place)
            .message(format!("{key} selects {what}, which is {scope}, so nothing is scheduled."))
            .why(
                "The controller refuses all selectors if one of them selects a kind of the other \
                  scope.",
            )
            .hint(remedy)
            .step(edit_command(key), "opens it to remove the selector");
        cx.report(finding);
    }
}
