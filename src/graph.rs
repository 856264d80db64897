//! The graph: every object of the bundle, joined.
//!
//! Owns sightings (the same object seen several times), the joins between kinds, the capture clock,
//! and the way from a span back to object and field. Built once, then shared read-only by all rules.
//! Invariant: everything is kept in key order, so that no output depends on chance.

mod absent;
mod build;
mod clock;
mod family;
mod joins;
mod locate;
mod sighting;

pub use absent::Listing;
pub use build::build;
pub use clock::{Clock, ClockSource};
pub use family::{Family, HasMeta};
pub use locate::{Locate, Located, natural_key};
pub use sighting::Sighting;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::model::approval::ApprovalRequest;
use crate::model::binding::Binding;
use crate::model::cluster::MemberCluster;
use crate::model::key::ObjectKey;
use crate::model::meta::Meta;
use crate::model::overrides::Override;
use crate::model::placement::Placement;
use crate::model::run::Run;
use crate::model::snapshot::{PolicySnapshot, ResourceSnapshot};
use crate::model::strategy::Strategy;

/// Every object of a bundle, by family, each in its best sighting.
#[derive(Debug, Default)]
pub struct Graph {
    /// (Cluster)StagedUpdateRuns.
    pub runs: Family<Run>,
    /// (Cluster)StagedUpdateStrategies.
    pub strategies: Family<Strategy>,
    /// (Cluster)ApprovalRequests.
    pub approvals: Family<ApprovalRequest>,
    /// ClusterResourcePlacements and ResourcePlacements.
    pub placements: Family<Placement>,
    /// (Cluster)ResourceBindings.
    pub bindings: Family<Binding>,
    /// (Cluster)ResourceSnapshots.
    pub resource_snapshots: Family<ResourceSnapshot>,
    /// (Cluster)SchedulingPolicySnapshots.
    pub policy_snapshots: Family<PolicySnapshot>,
    /// (Cluster)ResourceOverrides.
    pub overrides: Family<Override>,
    /// (Cluster)ResourceOverrideSnapshots.
    pub override_snapshots: Family<Override>,
    /// MemberClusters.
    pub members: Family<MemberCluster>,
    /// Every object that has no family of its own here, by its metadata.
    pub others: Family<Arc<Meta>>,
    /// Every time an object was seen, the used sighting first.
    pub sightings: BTreeMap<ObjectKey, Vec<Sighting>>,
    /// When the bundle was captured.
    pub clock: Clock,
    /// For each kind seen, the namespaces of objects that came in a list.
    listings: BTreeMap<Box<str>, BTreeSet<Box<str>>>,
    /// Objects in file order, for finding the object under a span.
    places: Vec<Arc<Meta>>,
}
