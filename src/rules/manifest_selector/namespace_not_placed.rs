//! FL1413 namespace-not-placed.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::Manifest;
use crate::model::placement::{Placement, ResourceSelector};
use crate::rule::Cx;

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
        let placements = cx.repository().all::<Placement>();
        let placed = placements.filter(|other| other.manifest.is_cluster_scoped()).any(|other| {
            let takes = |it: &ResourceSelector| it.takes_name(&manifest.key.namespace);
            other.selectors.iter().any(|it| it.is_namespace() && takes(it))
        });
        let namespace = manifest.written().at(&["metadata", "namespace"]);
        let Some(namespace) = namespace.filter(|_| !placed) else { continue };
        let finding = NAMESPACE_NOT_PLACED
            .at_field(&namespace.place(), "nobody places it")
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
