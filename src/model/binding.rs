//! Bindings: what one cluster was told to run, and how far it got.

use std::sync::Arc;

use super::apply::ApplyStrategy;
use super::condition::{Condition, find_condition, read_conditions};
use super::key::ObjectKey;
use super::meta::Meta;
use super::placement::FailedPlacement;
use super::read::{Text, read_list, read_text, read_texts};
use super::run::read_overrides;
use crate::grammar::kind::Kind;
use crate::syntax::tree::Node;

/// The label by which everything of a placement is found, in both scopes.
pub const PARENT_PLACEMENT: &str = "kubernetes-fleet.io/parent-CRP";

/// A (Cluster)ResourceBinding.
#[derive(Clone, Debug)]
pub struct Binding {
    /// Identity and metadata.
    pub meta: Arc<Meta>,
    /// `spec.state`: `Scheduled`, `Bound` or `Unscheduled`.
    pub state: Option<Text>,
    /// `spec.resourceSnapshotName`.
    pub snapshot: Option<Text>,
    /// `spec.schedulingPolicySnapshotName`.
    pub policy: Option<Text>,
    /// `spec.targetCluster`.
    pub cluster: Option<Text>,
    /// `spec.clusterResourceOverrideSnapshots`.
    pub cluster_overrides: Vec<Text>,
    /// `spec.resourceOverrideSnapshots`, as (namespace, name).
    pub overrides: Vec<(Text, Text)>,
    /// `spec.applyStrategy`.
    pub apply: Option<ApplyStrategy>,
    /// `status.conditions`.
    pub conditions: Vec<Condition>,
    /// `status.failedPlacements`.
    pub failed: Vec<FailedPlacement>,
    /// `status.driftedPlacements`.
    pub drifted: Vec<FailedPlacement>,
    /// `status.diffedPlacements`.
    pub diffed: Vec<FailedPlacement>,
}

/// The conditions by which a run judges a binding, in the order of the work.
pub const CHAIN: [&str; 4] = ["Overridden", "WorkSynchronized", "Applied", "Available"];

impl Binding {
    /// Reads a binding.
    pub fn read(meta: Arc<Meta>) -> Self {
        let (spec, status) = (meta.root.get("spec"), meta.root.get("status"));
        let text = |key| spec.and_then(|spec| read_text(spec, key));
        let placements = |key| {
            let read = |status: &Node| read_list(status, key, FailedPlacement::read);
            status.map(read).unwrap_or_default()
        };
        Self {
            state: text("state"),
            snapshot: text("resourceSnapshotName"),
            policy: text("schedulingPolicySnapshotName"),
            cluster: text("targetCluster"),
            cluster_overrides: spec
                .map(|s| read_texts(s, "clusterResourceOverrideSnapshots"))
                .unwrap_or_default(),
            overrides: spec.map(read_overrides).unwrap_or_default(),
            apply: spec.and_then(|spec| spec.get("applyStrategy")).map(ApplyStrategy::read),
            conditions: status
                .map(|status| read_conditions(status, "conditions"))
                .unwrap_or_default(),
            failed: placements("failedPlacements"),
            drifted: placements("driftedPlacements"),
            diffed: placements("diffedPlacements"),
            meta,
        }
    }

    /// Returns a condition of the binding.
    pub fn condition(&self, kind: &str) -> Option<&Condition> {
        find_condition(&self.conditions, kind)
    }

    /// Returns a condition if it speaks of the binding's generation; without a known generation every one does.
    pub fn current(&self, kind: &str) -> Option<&Condition> {
        self.condition(kind).filter(|condition| {
            self.meta.generation().is_none_or(|generation| condition.generation() == generation)
        })
    }

    /// Returns the name of the cluster, `""` when it is not known.
    pub fn cluster(&self) -> &str {
        self.cluster.as_deref().unwrap_or_default()
    }

    /// Returns the name of the placement, by label; a piece without labels tells it by the snapshot it names.
    pub fn placement(&self) -> Option<&str> {
        let label = self.meta.label(PARENT_PLACEMENT).map(|text| &*text.value);
        label.or_else(|| {
            let snapshot = self.snapshot.as_deref().filter(|_| self.meta.partial)?;
            let (placement, _) = snapshot.strip_suffix("-snapshot")?.rsplit_once('-')?;
            Some(placement).filter(|placement| !placement.is_empty())
        })
    }

    /// Returns the key of the placement, by label and scope.
    pub fn placement_key(&self) -> Option<ObjectKey> {
        Some(ObjectKey::of(Kind::Placement, self.meta.namespace(), self.placement()?))
    }

    /// Returns the key of the placement; that of a piece that does not tell has no name.
    pub fn placement_or_unnamed(&self) -> ObjectKey {
        let of_scope = |kind: &str| ObjectKey::on_hub(kind, self.meta.namespace(), "");
        self.placement_key().unwrap_or_else(|| match &*self.meta.key.kind {
            "ResourceBinding" => of_scope("ResourcePlacement"),
            _ => of_scope("ClusterResourcePlacement"),
        })
    }

    /// Says whether a piece shows too little to tell whose binding it is.
    fn is_stray(&self) -> bool {
        self.meta.key.name.is_empty() && (self.placement().is_none() || self.cluster().is_empty())
    }

    /// Says whether the binding can be told from others, or is a piece that stands for itself.
    pub fn is_identified(&self) -> bool {
        self.is_stray() || (self.placement().is_some() && !self.cluster().is_empty())
    }

    /// Says whether the cluster is done: available (or its differences reported) at this generation.
    pub fn is_done(&self) -> bool {
        ["Available", "DiffReported"]
            .iter()
            .any(|kind| self.current(kind).is_some_and(Condition::is_true))
    }

    /// Returns the first condition of the chain that is False at this generation.
    pub fn first_failing(&self) -> Option<&Condition> {
        self.current_chain().find(|condition| condition.is_false())
    }

    /// Returns the conditions of the chain that speak of this generation, in order.
    pub fn current_chain(&self) -> impl Iterator<Item = &Condition> {
        CHAIN.iter().chain(&["DiffReported"]).filter_map(|kind| self.current(kind))
    }

    /// Returns the index in `{placement}-{index}-snapshot`.
    pub fn snapshot_index(&self) -> Option<&str> {
        let name = self.snapshot.as_deref()?.strip_suffix("-snapshot")?;
        name.rsplit('-').next()
    }
}
