//! The graph: every object of the bundle, joined.
//!
//! Owns sightings (the same object seen several times), the joins between kinds, the capture clock,
//! and the way from a span back to object and field. Built once, then shared read-only by all rules.
//! Invariant: everything is kept in key order, so that no output depends on chance.

mod build;
mod capture_bounds;
mod children;
mod clock;
mod cluster_names;
mod completeness;
mod fragments;
mod index;
mod inferred_placements;
mod joins;
mod later_stamp;
mod live_references;
mod locate;
mod logs;
mod lost_line;
mod mentions;
mod merge_sightings;
mod object_set;
mod recreated;
mod sighting;
mod sightings_by_key;
mod workload_parts;

pub use build::build;
pub use clock::{Clock, ClockSource};
pub use completeness::Listing;
pub use locate::{Locate, Located, field_under};
pub use object_set::{HasMeta, ObjectSet};
pub use sighting::Sighting;
pub use sightings_by_key::SightingsByKey;

use joins::Joins;
use smol_str::SmolStr;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::grammar::kind::Kind;
use crate::model::applied_work::AppliedWork;
use crate::model::approval::ApprovalRequest;
use crate::model::binding::Binding;
use crate::model::cluster::{InternalMember, MemberCluster};
use crate::model::event::Event;
use crate::model::eviction::{Budget, Eviction};
use crate::model::log::{Log, LogEvent};
use crate::model::meta::Meta;
use crate::model::overrides::Override;
use crate::model::placement::Placement;
use crate::model::pod::Pod;
use crate::model::quota::Quota;
use crate::model::run::Run;
use crate::model::service::Service;
use crate::model::snapshot::{PolicySnapshot, ResourceSnapshot};
use crate::model::strategy::Strategy;
use crate::model::work::Work;
use crate::model::workload::Workload;
use crate::source::Span;

/// Every object of a bundle, by family, each in its best sighting.
#[derive(Debug, Default)]
pub struct Graph {
    /// (Cluster)StagedUpdateRuns.
    pub runs: ObjectSet<Run>,
    /// (Cluster)StagedUpdateStrategies.
    pub strategies: ObjectSet<Strategy>,
    /// (Cluster)ApprovalRequests.
    pub approvals: ObjectSet<ApprovalRequest>,
    /// ClusterResourcePlacements and ResourcePlacements.
    pub placements: ObjectSet<Placement>,
    /// Placements that the bundle shows by their policy snapshot alone: policy and verdict, nothing else.
    pub implied: Vec<Placement>,
    /// (Cluster)ResourceBindings.
    pub bindings: ObjectSet<Binding>,
    /// (Cluster)ResourceSnapshots.
    pub resource_snapshots: ObjectSet<ResourceSnapshot>,
    /// (Cluster)SchedulingPolicySnapshots.
    pub policy_snapshots: ObjectSet<PolicySnapshot>,
    /// (Cluster)ResourceOverrides.
    pub overrides: ObjectSet<Override>,
    /// (Cluster)ResourceOverrideSnapshots.
    pub override_snapshots: ObjectSet<Override>,
    /// ClusterResourcePlacementEvictions.
    pub evictions: ObjectSet<Eviction>,
    /// ClusterResourcePlacementDisruptionBudgets.
    pub budgets: ObjectSet<Budget>,
    /// MemberClusters.
    pub members: ObjectSet<MemberCluster>,
    /// InternalMemberClusters.
    pub internal_members: ObjectSet<InternalMember>,
    /// Works.
    pub works: ObjectSet<Work>,
    /// AppliedWorks.
    pub applied_works: ObjectSet<AppliedWork>,
    /// Deployments, ReplicaSets, StatefulSets, DaemonSets and Jobs.
    pub workloads: ObjectSet<Workload>,
    /// Pods.
    pub pods: ObjectSet<Pod>,
    /// Services.
    pub services: ObjectSet<Service>,
    /// ResourceQuotas.
    pub quotas: ObjectSet<Quota>,
    /// Events, by the object that they speak of.
    pub events: Vec<Event>,
    /// Every object that has no family of its own here, by its metadata.
    pub others: ObjectSet<Arc<Meta>>,
    /// Every time an object was seen, the used sighting first.
    pub sightings: SightingsByKey,
    /// The logs of the bundle.
    pub logs: Vec<Log>,
    /// What the logs say, log by log in file order.
    pub log_events: Vec<LogEvent>,
    /// When the bundle was captured.
    pub clock: Clock,
    /// For each kind seen, the namespaces of objects that came in a list.
    listings: BTreeMap<SmolStr, BTreeSet<SmolStr>>,
    /// The families of which an object was sent as the API server has it.
    whole: BTreeSet<Kind>,
    /// The kinds and namespaces of which a list lacks something that lives.
    holes: live_references::Holes,
    /// The objects by what they name.
    joins: Joins,
    /// Objects in file order, for finding the object under a span.
    places: Vec<(Span, Arc<Meta>)>,
}
