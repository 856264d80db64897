//! Staged update runs: spec, frozen inputs, stages, clusters, tasks.

use std::sync::Arc;

use jiff::Timestamp;

use super::apply::ApplyStrategy;
use super::approval::Side;
use super::condition::{Condition, find_condition, read_conditions};
use super::meta::Meta;
use super::name_index::NameIndex;
use super::read::{
    List, Text, is_cut, read_int, read_list, read_some, read_text, read_texts, read_time,
};
use super::strategy::{Stage, read_stages};
use crate::source::{Span, Spanned};
use crate::syntax::tree::{Fidelity, Node};

/// The name that the controller gives to the stage that removes unselected clusters.
pub const DELETE_STAGE: &str = "kubernetes-fleet.io/deleteStage";

/// A (Cluster)StagedUpdateRun.
#[derive(Clone, Debug)]
pub struct Run {
    /// Identity and metadata.
    pub meta: Arc<Meta>,
    /// `spec.placementName`.
    pub placement: Option<Text>,
    /// `spec.stagedRolloutStrategyName`.
    pub strategy: Option<Text>,
    /// `spec.resourceSnapshotIndex`.
    pub index: Option<Text>,
    /// `spec.state`; absent means `Initialize`.
    pub state: Option<Text>,
    /// `status.policySnapshotIndexUsed`.
    pub policy_index_used: Option<Text>,
    /// `status.policyObservedClusterCount`.
    pub cluster_count: Option<Spanned<i64>>,
    /// `status.resourceSnapshotIndexUsed`.
    pub index_used: Option<Text>,
    /// `status.appliedStrategy`.
    pub applied_strategy: Option<ApplyStrategy>,
    /// `status.stagedUpdateStrategySnapshot.stages`.
    pub frozen_stages: Option<List<Stage>>,
    /// `status.stagesStatus`.
    pub stages: Vec<StageStatus>,
    /// `status.deletionStageStatus`.
    pub deletion_stage: Option<StageStatus>,
    /// `status.conditions`.
    pub conditions: Vec<Condition>,
    /// Whether the text breaks off among these, so that more may have followed.
    pub is_cut: bool,
    /// Where its clusters stand among those of all stages.
    pub by_cluster: NameIndex,
}

/// The parts of a run's life in which it can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// While the run computes its stages, before it changes anything.
    Initialization,
    /// Later, at any check.
    Execution,
}

/// The state of one stage.
#[derive(Clone, Debug)]
pub struct StageStatus {
    /// All of it.
    pub span: Span,
    /// `stageName`.
    pub name: Option<Text>,
    /// `clusters`.
    pub clusters: Vec<ClusterStatus>,
    /// `beforeStageTaskStatus`.
    pub before: Vec<TaskStatus>,
    /// `afterStageTaskStatus`.
    pub after: Vec<TaskStatus>,
    /// `startTime`.
    pub start: Option<Spanned<Timestamp>>,
    /// `endTime`.
    pub end: Option<Spanned<Timestamp>>,
    /// `conditions`.
    pub conditions: Vec<Condition>,
}

/// The state of one cluster in a stage.
#[derive(Clone, Debug)]
pub struct ClusterStatus {
    /// All of it.
    pub span: Span,
    /// `clusterName`.
    pub name: Text,
    /// `clusterResourceOverrideSnapshots`.
    pub cluster_overrides: Vec<Text>,
    /// `resourceOverrideSnapshots`, as (namespace, name).
    pub overrides: Vec<(Text, Text)>,
    /// `conditions`.
    pub conditions: Vec<Condition>,
}

/// The state of a before- or after-stage task.
#[derive(Clone, Debug)]
pub struct TaskStatus {
    /// All of it.
    pub span: Span,
    /// `type`.
    pub kind: Option<Text>,
    /// `approvalRequestName`.
    pub request: Option<Text>,
    /// `conditions`.
    pub conditions: Vec<Condition>,
}

impl Run {
    /// Returns its placement for a sentence; a fragment may not name it.
    pub fn show_placement(&self) -> String {
        let name = self.placement.as_deref().filter(|name| !name.is_empty());
        name.map_or_else(|| "the placement".to_owned(), |name| format!("placement {name}"))
    }

    /// Returns its placement for the start of a sentence.
    pub fn placement_title(&self) -> String {
        let name = self.placement.as_deref().filter(|name| !name.is_empty());
        let unnamed = || format!("The placement of {}", self.meta.name());
        name.map_or_else(unnamed, |name| format!("Placement {name}"))
    }

    /// Reads a run.
    pub fn read(meta: Arc<Meta>) -> Self {
        let (spec, status) = (meta.root.get("spec"), meta.root.get("status"));
        let text = |part: Option<&Node>, key| part.and_then(|part| read_text(part, key));
        Self {
            placement: text(spec, "placementName"),
            strategy: text(spec, "stagedRolloutStrategyName"),
            index: text(spec, "resourceSnapshotIndex"),
            state: text(spec, "state"),
            policy_index_used: text(status, "policySnapshotIndexUsed"),
            cluster_count: status.and_then(|status| read_int(status, "policyObservedClusterCount")),
            index_used: text(status, "resourceSnapshotIndexUsed"),
            applied_strategy: status
                .and_then(|status| status.get("appliedStrategy"))
                .map(ApplyStrategy::read),
            frozen_stages: status
                .and_then(|s| s.get("stagedUpdateStrategySnapshot"))
                .map(read_stages),
            stages: status
                .map(|status| read_list(status, "stagesStatus", StageStatus::read))
                .unwrap_or_default(),
            deletion_stage: status
                .and_then(|s| s.get("deletionStageStatus"))
                .map(StageStatus::read),
            conditions: status
                .map(|status| read_conditions(status, "conditions"))
                .unwrap_or_default(),
            is_cut: is_cut(status, "conditions"),
            by_cluster: NameIndex::default(),
            meta,
        }
    }

    /// Returns a condition of the run.
    pub fn condition(&self, kind: &str) -> Option<&Condition> {
        find_condition(&self.conditions, kind)
    }

    /// Returns what it works on: its own kind, for the scope, the namespace, and the name of the placement. Active
    /// runs that work on the same take clusters from each other.
    pub fn target(&self) -> Option<(&str, &str, &str)> {
        Some((&self.meta.key.kind, self.meta.namespace(), self.placement.as_deref()?))
    }

    /// Returns `spec.state`, `Initialize` when it is absent.
    pub fn state(&self) -> &str {
        self.state.as_deref().filter(|state| !state.is_empty()).unwrap_or("Initialize")
    }

    /// Says whether it only prepares itself: it rolls nothing out until its state is Run.
    pub fn only_initializes(&self) -> bool {
        self.state() == "Initialize"
    }

    /// Returns `spec.state` where it tells the run to stop.
    pub fn told_to_stop(&self) -> Option<&Text> {
        self.state.as_ref().filter(|state| **state == "Stop")
    }

    /// Returns the reason of the Progressing condition, `""` without one.
    pub fn progress_reason(&self) -> &str {
        self.condition("Progressing").map(Condition::reason).unwrap_or_default()
    }

    /// Says whether the run has ended, well or not.
    pub fn is_terminal(&self) -> bool {
        self.has_succeeded() || self.failure().is_some()
    }

    /// Says whether the run has ended well.
    pub fn has_succeeded(&self) -> bool {
        self.condition("Succeeded").is_some_and(Condition::is_true)
    }

    /// Returns the condition that ended the run badly: `Succeeded` or `Initialized` False.
    pub fn failure(&self) -> Option<&Condition> {
        let failed = |kind| self.condition(kind).filter(|condition| condition.is_false());
        failed("Succeeded").or_else(|| failed("Initialized"))
    }

    /// Tells when the run failed; words that somebody copied alone are often the same in both phases.
    pub fn failed_in(&self) -> Option<Phase> {
        let failure = self.failure()?;
        let words_alone = failure.message.is_some()
            && failure.reason.is_none()
            && failure.since.is_none()
            && failure.kind.fidelity == Fidelity::Inferred;
        let phase = match &*failure.kind {
            "Initialized" => Phase::Initialization,
            _ => Phase::Execution,
        };
        (!words_alone).then_some(phase)
    }

    /// Says whether the run is initialized, wants to run and has not ended.
    pub fn is_active(&self) -> bool {
        self.is_initialized()
            && self.state() == "Run"
            && !self.is_terminal()
            && self.meta.deleting.is_none()
    }

    /// Says whether initialization is done.
    pub fn is_initialized(&self) -> bool {
        self.condition("Initialized").is_some_and(Condition::is_true)
    }

    /// Returns the stages and then the deletion stage.
    pub fn all_stages(&self) -> impl Iterator<Item = &StageStatus> {
        self.stages.iter().chain(&self.deletion_stage)
    }

    /// Finds a stage by name.
    pub fn find_stage(&self, name: &str) -> Option<&StageStatus> {
        self.all_stages().find(|stage| stage.name() == name)
    }

    /// Returns the stage at work: the first that has conditions but has not succeeded.
    pub fn current_stage(&self) -> Option<&StageStatus> {
        self.all_stages().find(|stage| !stage.conditions.is_empty() && !stage.has_succeeded())
    }

    /// Returns the gate at which the run says it waits, by the words of its Progressing condition.
    pub fn waiting_at(&self) -> Option<(&str, Side)> {
        let progress =
            self.condition("Progressing").filter(|c| c.reason() == "UpdateRunWaiting")?;
        let (before, after) = progress.message().split_once("-stage tasks in stage ")?;
        let side = if before.ends_with("before") { Side::Before } else { Side::After };
        Some((after.split_whitespace().next()?, side))
    }

    /// Finds a cluster and its stage.
    pub fn find_cluster(&self, name: &str) -> Option<(&StageStatus, &ClusterStatus)> {
        let clusters = self.all_stages().flat_map(|stage| &stage.clusters);
        let mut at = self.by_cluster.find(name, clusters.map(|cluster| &*cluster.name.value))?;
        for stage in self.all_stages() {
            if let Some(cluster) = stage.clusters.get(at) {
                return Some((stage, cluster));
            }
            at = at.checked_sub(stage.clusters.len())?;
        }
        None
    }

    /// Returns the frozen copy of a stage's strategy.
    pub fn frozen_stage(&self, name: &str) -> Option<&Stage> {
        self.frozen_stages.as_ref()?.iter().find(|stage| stage.name() == name)
    }

    /// Returns the name of the master resource snapshot that the run rolls out.
    pub fn snapshot_name(&self) -> Option<String> {
        Some(format!("{}-{}-snapshot", self.placement.as_deref()?, self.wanted_index()?))
    }

    /// Returns the index of the resource snapshot that the run rolls out: what it noted, else what it was asked for.
    pub fn wanted_index(&self) -> Option<&str> {
        let index = self.index_used.as_deref().or(self.index.as_deref());
        index.filter(|index| !index.is_empty())
    }
}

impl StageStatus {
    fn read(node: &Node) -> Self {
        Self {
            span: node.span,
            name: read_text(node, "stageName"),
            clusters: read_some(node, "clusters", ClusterStatus::read),
            before: read_list(node, "beforeStageTaskStatus", TaskStatus::read),
            after: read_list(node, "afterStageTaskStatus", TaskStatus::read),
            start: read_time(node, "startTime"),
            end: read_time(node, "endTime"),
            conditions: read_conditions(node, "conditions"),
        }
    }

    /// Returns the stage's name, `""` when it has none.
    pub fn name(&self) -> &str {
        self.name.as_deref().unwrap_or_default()
    }

    /// Returns a condition of the stage.
    pub fn condition(&self, kind: &str) -> Option<&Condition> {
        find_condition(&self.conditions, kind)
    }

    /// Says whether the stage is done.
    pub fn has_succeeded(&self) -> bool {
        self.condition("Succeeded").is_some_and(Condition::is_true)
    }

    /// Returns the tasks on one side.
    pub fn tasks(&self, side: Side) -> &[TaskStatus] {
        match side {
            Side::Before => &self.before,
            Side::After => &self.after,
        }
    }
}

impl ClusterStatus {
    fn read(node: &Node) -> Option<Self> {
        Some(Self {
            span: node.span,
            name: read_text(node, "clusterName")?,
            cluster_overrides: read_texts(node, "clusterResourceOverrideSnapshots"),
            overrides: read_overrides(node),
            conditions: read_conditions(node, "conditions"),
        })
    }

    /// Returns a condition of the cluster.
    pub fn condition(&self, kind: &str) -> Option<&Condition> {
        find_condition(&self.conditions, kind)
    }

    /// Returns the `Started` condition if it is true.
    pub fn started(&self) -> Option<&Condition> {
        self.condition("Started").filter(|condition| condition.is_true())
    }

    /// Says whether the cluster is done.
    pub fn has_succeeded(&self) -> bool {
        self.condition("Succeeded").is_some_and(Condition::is_true)
    }

    /// Returns the `Succeeded` condition if it is false: the cluster was taken away from the run.
    pub fn failed(&self) -> Option<&Condition> {
        self.condition("Succeeded").filter(|condition| condition.is_false())
    }

    /// Says whether the cluster was started and is not done.
    pub fn is_in_flight(&self) -> bool {
        self.started().is_some() && self.condition("Succeeded").is_none()
    }
}

impl TaskStatus {
    fn read(node: &Node) -> Self {
        Self {
            span: node.span,
            kind: read_text(node, "type"),
            request: read_text(node, "approvalRequestName"),
            conditions: read_conditions(node, "conditions"),
        }
    }

    /// Says whether the task has a condition that is true.
    pub fn is(&self, kind: &str) -> bool {
        find_condition(&self.conditions, kind).is_some_and(Condition::is_true)
    }
}

/// Reads `resourceOverrideSnapshots` as (namespace, name) pairs.
pub fn read_overrides(node: &Node) -> Vec<(Text, Text)> {
    read_some(node, "resourceOverrideSnapshots", |item| {
        Some((read_text(item, "namespace")?, read_text(item, "name")?))
    })
}
