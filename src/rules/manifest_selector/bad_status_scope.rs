//! FL1412 bad-status-scope.

use crate::declare_rule;
use crate::finding::Finding;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::Draft;
use crate::model::placement::Placement;
use crate::model::read::Text;
use crate::rule::Cx;

declare_rule! {
    /// A status shown in a namespace that the placement does not have, or a scope that changed.
    ///
    /// ## Why it matters
    /// NamespaceAccessible copies the status into the one namespace that is selected, so there must be exactly
    /// one selector of kind Namespace; the choice cannot be changed later. A ResourcePlacement ignores the
    /// field.
    ///
    /// ## What to do
    /// Select exactly one Namespace, or leave the scope as it was.
    pub static BAD_STATUS_SCOPE = Rule {
        code: "FL1412",
        name: "bad-status-scope",
        severity: Severity::Error,
        layer: Layer::ApiServer,
        reads: &[Kind::Placement],
        check: bad_status_scope,
    }
}

fn bad_status_scope(cx: &mut Cx<'_>) {
    for placement in cx.drafts::<Placement>() {
        let Some(scope) = &placement.status_scope else { continue };
        if placement.manifest.is_cluster_scoped() {
            let crowded = in_crowd(&placement, scope);
            let changed = changed(&placement, scope);
            crowded.into_iter().chain(changed).for_each(|finding| cx.report(finding));
        } else if !scope.is_default() {
            let finding = BAD_STATUS_SCOPE
                .at_field(&scope.site().key_place(), "has no effect here")
                .severity(Severity::Note)
                .layer(Layer::Advice)
                .message(format!(
                    "ResourcePlacement {} sets statusReportingScope",
                    placement.name()
                ))
                .why("only a ClusterResourcePlacement reads it");
            cx.report(finding);
        }
    }
}

/// Finds a status that is wanted in a namespace where not exactly one is selected.
fn in_crowd(placement: &Draft<'_, Placement>, scope: &Text) -> Option<Finding> {
    let manifest = placement.manifest;
    let rule = manifest.server_rule("status-scope-one-namespace")?;
    let namespaces = placement.selectors.iter().filter(|it| it.is_namespace()).count();
    let spec = placement.meta.spec();
    let unchanged = spec.is_some_and(|spec| manifest.is_ratcheted(&spec.place()));
    if *scope != "NamespaceAccessible" || namespaces == 1 || unchanged {
        return None;
    }
    let finding = BAD_STATUS_SCOPE
        .at_field(&scope.place(), format!("{namespaces} selectors of kind Namespace"))
        .message(format!("{} wants its status in a namespace", placement.show()))
        .why(&*rule.message);
    Some(finding)
}

/// Finds a scope that is not what it was.
fn changed(placement: &Draft<'_, Placement>, scope: &Text) -> Option<Finding> {
    let old = placement.before()?.status_scope.as_ref().filter(|old| ***old != **scope)?;
    let rule = placement.manifest.server_rule("status-scope-immutable")?;
    let was = &**old;
    let finding = BAD_STATUS_SCOPE
        .at_field(&scope.place(), "changed")
        .also(old.place().span, "was this")
        .message(format!("statusReportingScope of {} may not change from {was}", placement.name()))
        .why(&*rule.message);
    Some(finding)
}
