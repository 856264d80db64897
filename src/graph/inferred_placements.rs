//! Placements that the bundle does not hold, inferred from the objects that repeat parts of them.
//!
//! A ClusterResourcePlacementStatus is the whole status of its placement (KubeFleet
//! pkg/controllers/placement/namespace_status_sync.go), a policy snapshot holds the policy and the
//! scheduler's verdict. Generations of the copy say nothing about the placement's.
//! Invariant: nothing is implied of a placement that was seen itself.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::grammar::kind::Kind;
use crate::model::key::ObjectKey;
use crate::model::meta::Meta;
use crate::model::placement::Placement;
use crate::model::snapshot::PolicySnapshot;

/// Returns the placements whose status stands in a copy only.
pub(super) fn from_copies(copies: &[Arc<Meta>], seen: &[Placement]) -> Vec<Placement> {
    let known: BTreeSet<&ObjectKey> = seen.iter().map(|placement| &placement.meta.key).collect();
    let unseen = copies.iter().filter_map(|copy| {
        let key = ObjectKey::of(Kind::Placement, "", &copy.key.name);
        (!known.contains(&key)).then(|| Placement::read_copy(stand_in(copy, key)))
    });
    unseen.collect()
}

/// Returns the placements of which only the latest policy snapshot was seen.
pub(super) fn from_policies(policies: &[PolicySnapshot], seen: &[Placement]) -> Vec<Placement> {
    let known: BTreeSet<&ObjectKey> = seen.iter().map(|placement| &placement.meta.key).collect();
    let latest = policies.iter().filter(|policy| policy.is_latest());
    let unseen = latest.filter_map(|policy| {
        let mut key = ObjectKey::of(Kind::Placement, policy.meta.namespace(), policy.placement()?);
        if &*policy.meta.key.kind == "SchedulingPolicySnapshot" {
            key.kind = "ResourcePlacement".into();
        }
        (!known.contains(&key)).then(|| Placement::of_policy(stand_in(&policy.meta, key), policy))
    });
    unseen.collect()
}

/// Returns the metadata of a copy under the placement's name, without what is the copy's own.
fn stand_in(copy: &Meta, key: ObjectKey) -> Arc<Meta> {
    Arc::new(Meta {
        key,
        partial: true,
        uid: None,
        resource_version: None,
        generation: None,
        created: None,
        deleting: None,
        labels: Vec::new(),
        annotations: Vec::new(),
        finalizers: Vec::new(),
        owners: Vec::new(),
        ..copy.clone()
    })
}
