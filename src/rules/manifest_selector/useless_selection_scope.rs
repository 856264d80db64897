//! FL1410 useless-selection-scope.

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;

declare_rule! {
    /// A selection scope where it means nothing.
    ///
    /// ## Why it matters
    /// `selectionScope` speaks of the contents of a Namespace; on other kinds, and in overrides, it is ignored.
    ///
    /// ## What to do
    /// Remove it.
    pub static USELESS_SELECTION_SCOPE = Rule {
        code: "FL1410",
        name: "useless-selection-scope",
        severity: Severity::Note,
        layer: Layer::Advice,
        reads: &[Kind::Placement, Kind::Override],
        check: useless_selection_scope,
    }
}

fn useless_selection_scope(cx: &mut Cx<'_>) {
    for (family, key) in
        [(Kind::Placement, "resourceSelectors"), (Kind::Override, "clusterResourceSelectors")]
    {
        for manifest in cx.of(family) {
            let list = manifest.written().at(&["spec", key]).map(|list| list.items());
            for selector in list.unwrap_or_default() {
                let Some(scope) = selector.get("selectionScope") else { continue };
                if family == Kind::Placement && selector.text("kind") == Some("Namespace") {
                    continue;
                }
                let finding = USELESS_SELECTION_SCOPE
                    .on(&scope.key_place(), "ignored here")
                    .message(format!(
                        "{} {} sets a selectionScope that means nothing",
                        manifest.key.kind,
                        manifest.name()
                    ))
                    .why("it speaks of the contents of a Namespace that a placement selects")
                    .fix(Safety::Consent, manifest.without(&scope.pointer()));
                cx.report(finding);
            }
        }
    }
}
