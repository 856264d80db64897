//! FL1405 wrong-scope-selector.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::kind::Scope;
use crate::manifest::{At, Repository};
use crate::rule::Cx;
use crate::rules::manifest_selector::resource::{is_piecewise, kind_of, resource_selectors};

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
    for manifest in cx.of(Kind::Placement) {
        let selectors = resource_selectors(manifest);
        let piecewise = selectors.iter().any(is_piecewise);
        for selector in selectors {
            let Some((name, scope)) = scope_of(cx.repository(), &selector) else { continue };
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
            let place = selector.get("kind").map_or_else(|| selector.place(), |kind| kind.place());
            let finding = WRONG_SCOPE_SELECTOR
                .on(&place, format!("a {scope} kind"))
                .layer(cx.hook_layer(manifest))
                .message(format!(
                    "{} {} cannot select {}, which is {scope}",
                    manifest.key.kind,
                    manifest.name(),
                    name
                ))
                .why(help);
            cx.report(finding);
        }
    }
}

/// Finds the name of the kind that a selector names, and where its objects live.
fn scope_of<'m>(repository: &Repository, selector: &At<'m>) -> Option<(&'m str, Scope)> {
    let (group, name) = (selector.text("group")?, selector.text("kind")?);
    let known = kind_of(selector).map(|spec| spec.scope);
    let scope = known.or_else(|| repository.find_definition(group, name).map(|it| it.scope))?;
    Some((name, scope))
}
