//! FL1405 wrong-scope-selector.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::kind::Scope;
use crate::manifest::Repository;
use crate::model::placement::{Placement, ResourceSelector};
use crate::rule::Cx;

declare_rule! {
    /// A resource selector for a kind of the wrong scope.
    ///
    /// ## Why it matters
    /// A ClusterResourcePlacement selects cluster-scoped objects (namespaced ones only together with their
    /// Namespace in the mode NamespaceWithResourceSelectors), a ResourcePlacement namespaced ones. The webhook
    /// refuses the former; the controller fails the latter.
    ///
    /// ## What to do
    /// Select the Namespace, or use the other kind of placement.
    pub static WRONG_SCOPE_SELECTOR = Rule {
        code: "FL1405",
        name: "wrong-scope-selector",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Placement],
        check: wrong_scope_selector,
    }
}

fn wrong_scope_selector(cx: &mut Cx<'_>) {
    for placement in cx.drafts::<Placement>() {
        let manifest = placement.manifest;
        let opens = |it: &ResourceSelector| {
            it.is_namespace() && it.group.as_deref() == Some("") && it.is_piecewise()
        };
        let piecewise = placement.selectors.iter().any(opens);
        for selector in &placement.selectors {
            let Some((name, scope)) = scope_of(cx.repository(), selector) else { continue };
            let cluster = scope == Scope::Cluster;
            let fine = if manifest.is_cluster_scoped() { cluster || piecewise } else { !cluster };
            if fine {
                continue;
            }
            let (scope, help) = if cluster {
                ("cluster-scoped", "a ResourcePlacement selects objects of its own namespace only")
            } else {
                ("namespaced", "select its Namespace, or use a ResourcePlacement in that namespace")
            };
            let finding = WRONG_SCOPE_SELECTOR
                .at_field(&selector.kind_place(), format!("a {scope} kind"))
                .layer(cx.hook_layer(manifest))
                .message(format!("{} cannot select {name}, which is {scope}", placement.show()))
                .why(help);
            cx.report(finding);
        }
    }
}

/// Finds the name of the kind that a selector names, and where its objects live.
fn scope_of<'s>(
    repository: &Repository,
    selector: &'s ResourceSelector,
) -> Option<(&'s str, Scope)> {
    let (group, name) = (selector.group.as_deref()?, selector.kind.as_deref()?);
    let known = selector.find_kind().map(|spec| spec.scope);
    let scope = known.or_else(|| repository.find_definition(group, name).map(|it| it.scope))?;
    Some((name, scope))
}
