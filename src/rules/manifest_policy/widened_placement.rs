//! FL1325 widened-placement.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;

declare_rule! {
    /// A policy that was removed, so that all clusters are picked.
    ///
    /// ## Why it matters
    /// The webhook puts PickAll in place of a missing policy. Where the old policy picked some clusters by
    /// affinity, the update is accepted and the placement silently spreads to every cluster.
    ///
    /// ## What to do
    /// Keep the policy.
    pub static WIDENED_PLACEMENT = Rule {
        code: "FL1325",
        name: "widened-placement",
        severity: Severity::Warning,
        layer: Layer::Advice,
        reads: &[Kind::Placement],
        check: widened_placement,
    }
}

fn widened_placement(cx: &mut Cx<'_>) {
    for manifest in cx.of(Kind::Placement).filter(|manifest| manifest.is_cluster_scoped()) {
        let Some(before) = manifest.before() else { continue };
        let root = manifest.stored();
        let Some(affinity) = before.at(&["spec", "policy", "affinity"]) else { continue };
        let all = root
            .at(&["spec", "policy", "placementType"])
            .is_some_and(|kind| kind.str() == Some("PickAll"));
        let narrow = root.at(&["spec", "policy", "affinity"]).is_some();
        let same = before
            .at(&["spec", "policy", "placementType"])
            .is_some_and(|kind| kind.str() == Some("PickAll"));
        let Some(spec) = root.get("spec").filter(|_| all && same && !narrow) else { continue };
        let finding = WIDENED_PLACEMENT
            .on(&spec.missing("policy"), "without affinity every cluster is picked")
            .also(affinity.key_span(), "this chose the clusters")
            .message(format!(
                "ClusterResourcePlacement {} spreads to every cluster",
                manifest.name()
            ))
            .why("the update is accepted, and nothing asks whether it is meant");
        cx.report(finding);
    }
}
