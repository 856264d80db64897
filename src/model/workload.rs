//! Workloads: Deployments, ReplicaSets, StatefulSets, DaemonSets and Jobs.
//!
//! One type, because a diagnosis asks all of them the same: how many pods were wanted, how many are
//! there, and what the controller says about the rest. [`Workload::shortfall`] is KubeFleet's own test
//! of availability (pkg/controllers/workapplier/availability_tracker.go).

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use super::condition::{Condition, find_condition, read_conditions};
use super::meta::Meta;
use super::read::{Text, read_int, read_scalar, read_text};
use crate::source::{Span, Spanned};
use crate::syntax::tree::Node;

/// A Deployment, ReplicaSet, StatefulSet, DaemonSet or Job.
///
/// What it wants and how it is, is read on first use: of most nobody asks.
#[derive(Clone, Debug)]
pub struct Workload {
    /// Identity and metadata.
    pub meta: Arc<Meta>,
    state: OnceLock<Box<WorkloadState>>,
}

/// What a workload wants and how it is.
#[derive(Clone, Debug)]
pub struct WorkloadState {
    /// `spec.replicas`.
    pub replicas: Option<Spanned<i64>>,
    /// `spec.updateStrategy` of a StatefulSet or DaemonSet.
    pub update: UpdateStrategy,
    /// `status.conditions`.
    pub conditions: Vec<Condition>,
    /// `status.observedGeneration`.
    pub observed_generation: Option<Spanned<i64>>,
}

/// How a StatefulSet or DaemonSet replaces its pods.
#[derive(Clone, Debug, Default)]
pub struct UpdateStrategy {
    /// `type`.
    pub kind: Option<Text>,
    /// `rollingUpdate.partition` of a StatefulSet.
    pub partition: Option<Spanned<i64>>,
}

impl UpdateStrategy {
    /// Reads the strategy of a spec.
    pub(super) fn read(spec: &Node) -> Self {
        let update = spec.get("updateStrategy");
        let rolling = update.and_then(|update| update.get("rollingUpdate"));
        Self {
            kind: update.and_then(|update| read_text(update, "type")),
            partition: rolling.and_then(|rolling| read_int(rolling, "partition")),
        }
    }

    /// Returns what keeps pods on the old revision on purpose, in words, and where it stands.
    pub fn holds_back(&self) -> Option<(Span, String)> {
        if let Some(partition) = self.partition.filter(|partition| partition.value > 0) {
            return Some((partition.span, format!("partition {}", partition.value)));
        }
        let on_delete = self.kind.as_ref().filter(|kind| **kind == "OnDelete")?;
        Some((on_delete.span, "the update strategy OnDelete".to_owned()))
    }
}

/// A number that keeps a workload from being available.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shortfall {
    /// The field that shows it.
    pub field: &'static str,
    /// The number in the status.
    pub have: i64,
    /// The number that makes the workload available.
    pub want: i64,
    /// Where the field stands, if the text has it (a zero is left out by the API server).
    pub span: Option<Span>,
}

impl Deref for Workload {
    type Target = WorkloadState;

    fn deref(&self) -> &WorkloadState {
        self.state.get_or_init(|| Box::new(WorkloadState::read(&self.meta)))
    }
}

impl WorkloadState {
    fn read(meta: &Meta) -> Self {
        let (spec, status) = (meta.root.get("spec"), meta.root.get("status"));
        let spec = spec.map(|spec| spec.opened(&["replicas", "updateStrategy"]));
        let spec = spec.as_deref();
        Self {
            replicas: spec.and_then(|spec| read_int(spec, "replicas")),
            update: spec.map(UpdateStrategy::read).unwrap_or_default(),
            conditions: status
                .map(|status| read_conditions(status, "conditions"))
                .unwrap_or_default(),
            observed_generation: status.and_then(|status| read_int(status, "observedGeneration")),
        }
    }
}

impl Workload {
    /// Returns `spec.paused` where it is true.
    pub fn paused(&self) -> Option<Text> {
        let paused = self.meta.root.get("spec").and_then(|spec| read_scalar(spec, "paused"));
        paused.filter(|paused| *paused == "true")
    }

    /// Takes an object for a workload.
    pub fn read(meta: Arc<Meta>) -> Self {
        Self { meta, state: OnceLock::new() }
    }

    /// Returns a condition of the workload.
    pub fn condition(&self, kind: &str) -> Option<&Condition> {
        find_condition(&self.conditions, kind)
    }

    /// Returns a number of the status.
    pub fn count(&self, field: &str) -> Option<Spanned<i64>> {
        self.meta.root.get("status").and_then(|status| read_int(status, field))
    }

    /// Returns a text of the status.
    pub fn status_text(&self, field: &str) -> Option<Text> {
        self.meta.root.get("status").and_then(|status| read_text(status, field))
    }

    /// Returns what keeps the workload from being available by KubeFleet's rules, if anything does.
    ///
    /// Without a status nothing is known, and a kind that KubeFleet does not track is never short.
    pub fn shortfall(&self) -> Option<Shortfall> {
        self.meta.root.get("status").filter(|status| !status.is_empty())?;
        let replicas = self.replicas.map_or(1, |replicas| replicas.value);
        let pairs: Vec<(&'static str, i64)> = match &*self.meta.key.kind {
            "Deployment" => vec![("availableReplicas", replicas), ("updatedReplicas", replicas)],
            "StatefulSet" => vec![("availableReplicas", replicas)],
            "DaemonSet" => {
                let current = self.number("currentNumberScheduled");
                vec![
                    ("numberAvailable", self.number("desiredNumberScheduled")),
                    ("updatedNumberScheduled", current),
                ]
            }
            _ => return None,
        };
        let counted = pairs.into_iter().find_map(|(field, want)| self.short_of(field, want));
        counted
            .or_else(|| self.excess_unavailable())
            .or_else(|| self.unfinished_revision())
            .or_else(|| self.unobserved_change())
    }

    fn short_of(&self, field: &'static str, want: i64) -> Option<Shortfall> {
        let found = self.count(field);
        let have = found.map_or(0, |count| count.value);
        (have != want).then_some(Shortfall { field, have, want, span: found.map(|f| f.span) })
    }

    fn excess_unavailable(&self) -> Option<Shortfall> {
        (&*self.meta.key.kind == "Deployment").then(|| self.short_of("unavailableReplicas", 0))?
    }

    /// A StatefulSet is available only when every pod has the newest revision.
    fn unfinished_revision(&self) -> Option<Shortfall> {
        let (current, update) =
            (self.status_text("currentRevision")?, self.status_text("updateRevision")?);
        (*current != *update)
            .then(|| self.short_of("updatedReplicas", self.replicas.map_or(1, |r| r.value)))?
    }

    /// The numbers are of an older state while the workload's controller has not seen the last change.
    fn unobserved_change(&self) -> Option<Shortfall> {
        let (observed, current) = (self.observed_generation?, self.meta.generation?);
        (observed.value < current.value).then_some(Shortfall {
            field: "observedGeneration",
            have: observed.value,
            want: current.value,
            span: Some(observed.span),
        })
    }

    /// Says whether pods are missing, as far as the status tells.
    pub fn lacks_pods(&self) -> bool {
        let (have, want) = match &*self.meta.key.kind {
            "DaemonSet" => {
                (self.count("currentNumberScheduled"), self.count("desiredNumberScheduled"))
            }
            _ => (self.count("replicas"), self.replicas),
        };
        let number = |count: Option<Spanned<i64>>| count.map_or(0, |count| count.value);
        number(have) < number(want)
    }

    fn number(&self, field: &str) -> i64 {
        self.count(field).map_or(0, |count| count.value)
    }
}
