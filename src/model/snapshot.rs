//! Snapshots: numbered copies of resources and of scheduling policies.

use std::sync::Arc;

use super::binding::PARENT_PLACEMENT;
use super::condition::{Condition, find_condition, read_conditions};
use super::meta::Meta;
use super::placement::PlacementPolicy;
use super::read::{Text, read_bool, read_some, read_text};
use crate::source::{Span, Spanned};

/// A (Cluster)ResourceSnapshot.
#[derive(Clone, Debug)]
pub struct ResourceSnapshot {
    /// Identity and metadata.
    pub meta: Arc<Meta>,
}

/// A (Cluster)SchedulingPolicySnapshot.
#[derive(Clone, Debug)]
pub struct PolicySnapshot {
    /// Identity and metadata.
    pub meta: Arc<Meta>,
    /// `spec.policy`.
    pub policy: PlacementPolicy,
    /// `status.conditions`.
    pub conditions: Vec<Condition>,
    /// `status.targetClusters`: the scheduler's decisions.
    pub decisions: Vec<Decision>,
}

/// What the scheduler decided about one cluster.
#[derive(Clone, Debug)]
pub struct Decision {
    /// All of it.
    pub span: Span,
    /// `clusterName`.
    pub cluster: Text,
    /// `selected`.
    pub selected: Option<Spanned<bool>>,
    /// `reason`.
    pub reason: Option<Text>,
}

/// Says whether a snapshot of either sort carries the latest label.
pub fn is_latest(meta: &Meta) -> bool {
    meta.label("kubernetes-fleet.io/is-latest-snapshot").is_some_and(|text| &*text.value == "true")
}

impl ResourceSnapshot {
    /// Reads a resource snapshot.
    pub fn read(meta: Arc<Meta>) -> Self {
        Self { meta }
    }

    /// Returns the index, by label.
    pub fn index(&self) -> Option<&Text> {
        self.meta.label("kubernetes-fleet.io/resource-index")
    }

    /// Returns the placement's name, by label.
    pub fn placement(&self) -> Option<&str> {
        self.meta.label(PARENT_PLACEMENT).map(|text| &*text.value)
    }

    /// Says whether it heads its group: only the master carries the hash.
    pub fn is_master(&self) -> bool {
        self.meta.annotation("kubernetes-fleet.io/resource-hash").is_some()
    }
}

impl PolicySnapshot {
    /// Reads a policy snapshot.
    pub fn read(meta: Arc<Meta>) -> Self {
        let (spec, status) = (meta.root.get("spec"), meta.root.get("status"));
        let decision = |node: &crate::syntax::tree::Node| {
            Some(Decision {
                span: node.span,
                cluster: read_text(node, "clusterName")?,
                selected: read_bool(node, "selected"),
                reason: read_text(node, "reason"),
            })
        };
        Self {
            policy: spec
                .and_then(|spec| spec.get("policy"))
                .map(PlacementPolicy::read)
                .unwrap_or_default(),
            conditions: status
                .map(|status| read_conditions(status, "conditions"))
                .unwrap_or_default(),
            decisions: status.map(|s| read_some(s, "targetClusters", decision)).unwrap_or_default(),
            meta,
        }
    }

    /// Returns the index, by label.
    pub fn index(&self) -> Option<&Text> {
        self.meta.label("kubernetes-fleet.io/policy-index")
    }

    /// Returns the placement's name, by label; empty for a piece that shows neither name nor labels.
    pub fn placement(&self) -> Option<&str> {
        let label = self.meta.label(PARENT_PLACEMENT).map(|text| &*text.value);
        label.or(self.is_piece().then_some(""))
    }

    /// Says whether it is the latest of its placement; a piece that does not tell is taken to be.
    pub fn is_latest(&self) -> bool {
        self.is_piece() || is_latest(&self.meta)
    }

    fn is_piece(&self) -> bool {
        self.meta.key.name.is_empty() && self.meta.labels.is_empty()
    }

    /// Returns the number of clusters wanted by a PickN policy, by annotation.
    pub fn wanted_clusters(&self) -> Option<&Text> {
        self.meta.annotation("kubernetes-fleet.io/number-of-clusters")
    }

    /// Returns the scheduler's verdict.
    pub fn scheduled(&self) -> Option<&Condition> {
        find_condition(&self.conditions, "Scheduled")
    }
}

/// Says whether the name of a snapshot can carry a text as its index: a number from 0 on, without
/// leading zeros.
pub fn is_snapshot_index(text: &str) -> bool {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits && (text == "0" || !text.starts_with('0'))
}
