//! FL1325 widened-placement.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::placement::{Placement, PlacementPolicy};
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
    for placement in cx.drafts::<Placement>().filter(|it| it.manifest.is_cluster_scoped()) {
        let Some(before) = placement.before() else { continue };
        let picks_all = |policy: &PlacementPolicy| policy.kind.as_deref() == Some("PickAll");
        let (old, new) = (&before.policy, &placement.policy);
        let (Some(affinity), None) = (&old.affinity, &new.affinity) else { continue };
        let spec = placement.meta.spec().filter(|_| picks_all(old) && picks_all(new));
        let Some(spec) = spec else { continue };
        let finding = WIDENED_PLACEMENT
            .at_field(&spec.missing("policy"), "without affinity every cluster is picked")
            .also(affinity.key_place().span, "this chose the clusters")
            .message(format!(
                "ClusterResourcePlacement {} spreads to every cluster",
                placement.name()
            ))
            .why("the update is accepted, and nothing asks whether it is meant");
        cx.report(finding);
    }
}
