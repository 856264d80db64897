//! Evictions and the budgets that limit them.
//!
//! An eviction is one shot: once a condition is terminal nobody looks at it again.

use std::sync::Arc;

use super::condition::{Condition, find_condition, read_conditions};
use super::meta::Meta;
use super::read::{Text, read_scalar, read_text};

/// A ClusterResourcePlacementEviction.
#[derive(Clone, Debug)]
pub struct Eviction {
    /// Identity and metadata.
    pub meta: Arc<Meta>,
    /// `spec.placementName`.
    pub placement: Option<Text>,
    /// `spec.clusterName`.
    pub cluster: Option<Text>,
    /// `status.conditions`.
    pub conditions: Vec<Condition>,
}

/// A ClusterResourcePlacementDisruptionBudget; it belongs to the placement of its own name.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Identity and metadata.
    pub meta: Arc<Meta>,
    /// `spec.minAvailable`.
    pub min_available: Option<Text>,
    /// `spec.maxUnavailable`.
    pub max_unavailable: Option<Text>,
}

impl Eviction {
    /// Reads an eviction.
    pub fn read(meta: Arc<Meta>) -> Self {
        let (spec, status) = (meta.root.get("spec"), meta.root.get("status"));
        Self {
            placement: spec.and_then(|spec| read_text(spec, "placementName")),
            cluster: spec.and_then(|spec| read_text(spec, "clusterName")),
            conditions: status.map(|s| read_conditions(s, "conditions")).unwrap_or_default(),
            meta,
        }
    }

    /// Returns a condition of the eviction.
    pub fn condition(&self, kind: &str) -> Option<&Condition> {
        find_condition(&self.conditions, kind)
    }

    /// Returns the name of the placement, `""` when it is not known.
    pub fn placement(&self) -> &str {
        self.placement.as_deref().unwrap_or_default()
    }

    /// Returns the name of the cluster, `""` when it is not known.
    pub fn cluster(&self) -> &str {
        self.cluster.as_deref().unwrap_or_default()
    }

    /// Returns it for a sentence; a piece may not show its name.
    pub fn show(&self) -> String {
        match &*self.meta.key.name {
            "" => "The eviction".to_owned(),
            name => format!("Eviction {name}"),
        }
    }
}

impl Budget {
    /// Returns the limit that does not work for a PickAll placement, which has no wanted number to count against: only a
    /// whole number in `minAvailable` does.
    pub fn limit_against_pick_all(&self) -> Option<&Text> {
        let relative = self.min_available.as_ref().filter(|text| !text.is_whole_number());
        self.max_unavailable.as_ref().or(relative)
    }

    /// Reads a budget.
    pub fn read(meta: Arc<Meta>) -> Self {
        let spec = meta.root.get("spec");
        Self {
            min_available: spec.and_then(|spec| read_scalar(spec, "minAvailable")),
            max_unavailable: spec.and_then(|spec| read_scalar(spec, "maxUnavailable")),
            meta,
        }
    }
}
