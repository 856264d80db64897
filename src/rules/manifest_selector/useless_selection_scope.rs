//! FL1410 useless-selection-scope.

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::Manifest;
use crate::model::overrides::Override;
use crate::model::placement::{Placement, ResourceSelector};
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
    for placement in cx.drafts::<Placement>() {
        let others = placement.object.selectors.iter().filter(|it| !it.is_namespace());
        others.for_each(|selector| report(cx, placement.manifest, selector));
    }
    for item in cx.drafts::<Override>().filter(|it| it.manifest.is_cluster_scoped()) {
        item.object.selectors.iter().for_each(|selector| report(cx, item.manifest, selector));
    }
}

/// Reports the scope of a selector that says one itself; the server fills it in everywhere.
fn report(cx: &mut Cx<'_>, manifest: &Manifest, selector: &ResourceSelector) {
    let Some(scope) = selector.scope.as_ref().filter(|scope| !scope.is_default()) else { return };
    let finding = USELESS_SELECTION_SCOPE
        .at_field(&scope.site().key_place(), "ignored here")
        .message(format!(
            "{} {} sets a selectionScope that means nothing",
            manifest.key.kind,
            manifest.name()
        ))
        .why("it speaks of the contents of a Namespace that a placement selects")
        .fix(Safety::Consent, manifest.remove(&scope.pointer()));
    cx.report(finding);
}
