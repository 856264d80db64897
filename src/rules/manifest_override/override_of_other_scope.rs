//! FL1513 override-of-other-scope.

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::grammar::kind::{Kind, Scope};
use crate::manifest::Manifest;
use crate::model::overrides::Override;
use crate::rule::Cx;
use crate::syntax::edit::{NewValue, TextEdit};

declare_rule! {
    /// An override that points at a placement of the other scope.
    ///
    /// ## Why it matters
    /// `placement.scope` is Cluster unless it says Namespaced, so a ResourceOverride that means a
    /// ResourcePlacement points at a ClusterResourcePlacement of that name. The reference cannot be changed
    /// later.
    ///
    /// ## What to do
    /// Write `scope: Namespaced`.
    pub static OVERRIDE_OF_OTHER_SCOPE = Rule {
        code: "FL1513",
        name: "override-of-other-scope",
        severity: Severity::Warning,
        layer: Layer::Advice,
        reads: &[Kind::Override, Kind::Placement],
        check: override_of_other_scope,
    }
}

fn override_of_other_scope(cx: &mut Cx<'_>) {
    let repository = cx.repository();
    for item in cx.drafts::<Override>() {
        let manifest = item.manifest;
        let Some(name) = &item.placement else { continue };
        let text = &**name;
        let (kind, namespace) = item.target_scope();
        let (scope, elsewhere) = match kind == Kind::Placement.in_scope(Scope::Cluster) {
            true => (Scope::Namespaced, &*manifest.key.namespace),
            false => (Scope::Cluster, ""),
        };
        let other = Kind::Placement.in_scope(scope);
        let Some(found) = repository
            .find(other, elsewhere, text)
            .filter(|_| repository.find(kind, namespace, text).is_none())
            .filter(|found| repository.is_together(manifest.span, found.span))
        else {
            continue;
        };
        let scope = if scope == Scope::Namespaced { "Namespaced" } else { "Cluster" };
        let finding = OVERRIDE_OF_OTHER_SCOPE
            .at_field(&name.place(), format!("means a {kind}"))
            .also(found.name_place().span, format!("this is a {other}"))
            .message(format!("{} points at a {kind} {text}, which is not found here", item.show()))
            .hint(format!("write `scope: {scope}`; it cannot be changed once applied"))
            .fix(Safety::Consent, rescope(manifest, scope));
        cx.report(finding);
    }
}

/// Writes the scope that is meant; one that is stored already cannot change.
fn rescope(manifest: &Manifest, scope: &str) -> Option<TextEdit> {
    if manifest.before.is_some() {
        return None;
    }
    match manifest.written().at(&["spec", "placement", "scope"]) {
        Some(at) => manifest.replace(&at.pointer(), scope),
        None => {
            manifest.insert("/spec/placement", "name", "scope", NewValue::Text(scope.to_owned()))
        }
    }
}
