//! What follows from a cause: whom it explains, up to the placement and its rollout, and what becomes of
//! them once it is repaired.

use crate::facts::blocked_rollout::BlockedRollout;
use crate::finding::{Command, Finding, Topic};
use crate::model::key::{HUB, ObjectKey};
use crate::rule::Cx;
use crate::rules::commands::edit_command;

pub use crate::facts::after_repair::Repair;

/// Says that a cause on a member explains what its object and its placement suffer there.
pub fn explain(finding: Finding, object: &ObjectKey, placement: Option<&ObjectKey>) -> Finding {
    let finding = finding.explains(Topic::Object(object.clone()));
    match placement {
        Some(placement) => finding
            .explains(Topic::PlacementCluster(placement.clone(), object.cluster.clone()))
            .explains(Topic::Rollout(placement.clone())),
        None => finding,
    }
}

/// Says that a cause explains why a placement does not get on with a cluster.
pub fn explain_stall(finding: Finding, stall: &BlockedRollout) -> Finding {
    finding
        .explains(Topic::PlacementCluster(stall.placement.clone(), stall.cluster.clone()))
        .explains(Topic::Rollout(stall.placement.clone()))
}

/// Says what becomes of a placement on some clusters once a cause is repaired.
pub fn after_repair(
    finding: Finding,
    cx: &Cx<'_>,
    placement: Option<&ObjectKey>,
    clusters: &[&str],
    repair: Repair,
) -> Finding {
    let unnamed = ObjectKey::on_hub("ClusterResourcePlacement", "", "");
    finding.outlook(cx.outlook(placement.unwrap_or(&unnamed), clusters, repair))
}

/// What a cause holds up: a placement, on some clusters.
pub trait HeldUp {
    /// Returns the placement, if it is known.
    fn placement(&self) -> Option<&ObjectKey>;

    /// Returns the clusters.
    fn clusters(&self) -> Vec<&str>;
}

/// Says what becomes of what a cause holds up, once it is repaired.
pub fn after_repair_of(
    finding: Finding,
    cx: &Cx<'_>,
    held_up: &impl HeldUp,
    repair: Repair,
) -> Finding {
    after_repair(finding, cx, held_up.placement(), &held_up.clusters(), repair)
}

/// Opens an object on the hub, where its manifest is kept; one that came in an envelope is not there.
pub fn edit_on_hub(cx: &Cx<'_>, object: &ObjectKey) -> Option<Command> {
    let wrapped = cx.is_enveloped(object);
    // What a controller on the member made was never on the hub.
    let made = matches!(&*object.kind, "Pod" | "ReplicaSet");
    let source = ObjectKey { cluster: HUB.into(), ..object.clone() };
    edit_command(&source).filter(|_| !wrapped && !made)
}
