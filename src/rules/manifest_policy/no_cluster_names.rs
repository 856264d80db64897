//! FL1303 no-cluster-names.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;

declare_rule! {
    /// A PickFixed policy without cluster names.
    ///
    /// ## Why it matters
    /// Nothing is ever scheduled, the condition stays Unknown, and clusters that already hold the resources
    /// keep them: it is not a way to scale to zero.
    ///
    /// ## What to do
    /// Name the clusters, or delete the placement.
    pub static NO_CLUSTER_NAMES = Rule {
        code: "FL1303",
        name: "no-cluster-names",
        severity: Severity::Warning,
        layer: Layer::Advice,
        reads: &[Kind::Placement],
        check: no_cluster_names,
    }
}

fn no_cluster_names(cx: &mut Cx<'_>) {
    for manifest in cx.of(Kind::Placement) {
        let Some(policy) = manifest.stored().at(&["spec", "policy"]) else { continue };
        if policy.text("placementType") != Some("PickFixed")
            || !policy.list("clusterNames").is_empty()
        {
            continue;
        }
        let place = policy
            .get("clusterNames")
            .map_or_else(|| policy.missing("clusterNames"), |names| names.key_place());
        let finding = NO_CLUSTER_NAMES
            .on(&place, "no clusters")
            .message(format!(
                "{} {} is PickFixed and names no cluster",
                manifest.key.kind,
                manifest.name()
            ))
            .why("it is never scheduled, and what is placed already stays");
        cx.report(finding);
    }
}
