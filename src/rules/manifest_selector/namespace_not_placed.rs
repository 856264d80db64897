//! FL1413 namespace-not-placed.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::Manifest;
use crate::rule::Cx;
use crate::rules::manifest_selector::resource::resource_selectors;

declare_rule! {
    /// A ResourcePlacement whose namespace nobody places.
    ///
    /// ## Why it matters
    /// The namespace has to exist on the members; a ResourcePlacement does not make it.
    ///
    /// ## What to do
    /// Place the namespace with a ClusterResourcePlacement.
    pub static NAMESPACE_NOT_PLACED = Rule {
        code: "FL1413",
        name: "namespace-not-placed",
        severity: Severity::Note,
        layer: Layer::Advice,
        reads: &[Kind::Placement],
        check: namespace_not_placed,
    }
}

fn namespace_not_placed(cx: &mut Cx<'_>) {
    if !cx.knows_surroundings() {
        return;
    }
    let placed_by_name = |m: &&Manifest| {
        !m.is_cluster_scoped() && !m.key.namespace.is_empty() && !is_everywhere(&m.key.namespace)
    };
    for manifest in cx.of(Kind::Placement).filter(placed_by_name) {
        let placed =
            cx.repository().of(Kind::Placement).filter(|other| other.is_cluster_scoped()).any(
                |other| {
                    resource_selectors(other).iter().any(|selector| {
                        selector.text("kind") == Some("Namespace")
                            && selector.text("name").is_none_or(|name| {
                                name.is_empty() || *name == *manifest.key.namespace
                            })
                    })
                },
            );
        let namespace = manifest.written().at(&["metadata", "namespace"]);
        let Some(namespace) = namespace.filter(|_| !placed) else { continue };
        let finding = NAMESPACE_NOT_PLACED
            .on(&namespace.place(), "nobody places it")
            .message(format!(
                "no ClusterResourcePlacement here places the namespace of ResourcePlacement {}",
                manifest.name()
            ))
            .why("the namespace has to exist on the members before anything can be placed in it");
        cx.report(finding);
    }
}

/// Says whether every cluster has a namespace.
fn is_everywhere(namespace: &str) -> bool {
    matches!(namespace, "default" | "kube-system" | "kube-public" | "kube-node-lease")
}
