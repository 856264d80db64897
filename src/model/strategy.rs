//! Staged update strategies, and the frozen copy of one inside a run.

use std::sync::Arc;

use jiff::SignedDuration;

use super::approval::Side;
use super::meta::Meta;
use super::read::{List, Site, Text, read_scalar, read_sited, read_text};
use super::selector::LabelSelector;
use crate::behaviour::staging;
use crate::kube::time::read_go_duration;
use crate::syntax::tree::Node;

/// A (Cluster)StagedUpdateStrategy.
#[derive(Clone, Debug)]
pub struct Strategy {
    /// Identity and metadata.
    pub meta: Arc<Meta>,
    /// `spec.stages`.
    pub stages: List<Stage>,
}

/// One stage of a strategy.
#[derive(Clone, Debug)]
pub struct Stage {
    /// All of it.
    pub site: Site,
    /// `name`.
    pub name: Option<Text>,
    /// `labelSelector`; absent selects no cluster, empty selects all.
    pub selector: Option<LabelSelector>,
    /// `sortingLabelKey`.
    pub sorting_label: Option<Text>,
    /// `maxConcurrency`.
    pub max_concurrency: Option<Text>,
    /// `beforeStageTasks`.
    pub before: List<Task>,
    /// `afterStageTasks`.
    pub after: List<Task>,
}

/// A task of a stage.
#[derive(Clone, Debug)]
pub struct Task {
    /// All of it.
    pub site: Site,
    /// `type`: `Approval` or `TimedWait`.
    pub kind: Option<Text>,
    /// `waitTime` as written.
    pub wait: Option<Text>,
}

impl Strategy {
    /// Returns what decides about clusters, stage by stage.
    pub fn plain_stages(&self) -> Vec<staging::StageSelection<'_>> {
        self.stages.iter().map(Stage::plain).collect()
    }

    /// Reads a strategy.
    pub fn read(meta: Arc<Meta>) -> Self {
        let stages = meta.root.get("spec").map(read_stages).unwrap_or_default();
        Self { meta, stages }
    }
}

/// Reads the stages of a strategy spec.
pub fn read_stages(spec: &Node) -> List<Stage> {
    read_sited(spec, "stages", |node| Stage {
        site: Site::of(node),
        name: read_text(node, "name"),
        selector: node.get("labelSelector").map(LabelSelector::read),
        sorting_label: read_text(node, "sortingLabelKey"),
        max_concurrency: read_scalar(node, "maxConcurrency"),
        before: read_sited(node, "beforeStageTasks", Task::read),
        after: read_sited(node, "afterStageTasks", Task::read),
    })
}

impl Stage {
    /// Returns the stage's name, `""` when it has none.
    pub fn name(&self) -> &str {
        self.name.as_deref().unwrap_or_default()
    }

    /// Returns what decides about clusters, without its places; a selector that cannot be read takes none.
    pub fn plain(&self) -> staging::StageSelection<'_> {
        staging::StageSelection {
            selector: self.selector.as_ref().and_then(LabelSelector::plain),
            sorting_key: self.sorting_label.as_deref(),
        }
    }

    /// Returns the first task that the controller refuses, with its words.
    pub fn refused_task(&self) -> Option<(&Task, String)> {
        refuse_before(&self.before).or_else(|| self.refuse_after())
    }

    /// Says whether it waits for an approval on either side.
    pub fn asks_for_approval(&self) -> bool {
        self.before.iter().chain(&self.after).any(Task::is_approval)
    }

    /// Returns the tasks on one side.
    pub fn tasks(&self, side: Side) -> &List<Task> {
        match side {
            Side::Before => &self.before,
            Side::After => &self.after,
        }
    }

    /// Returns two tasks after the stage of which the controller takes only one: they have one type.
    pub fn repeated_task(&self) -> Option<(&Task, &Task)> {
        let [first, second] = &*self.after else { return None };
        (first.kind.as_deref() == second.kind.as_deref()).then_some((first, second))
    }

    /// Finds what is wrong with tasks after a stage.
    fn refuse_after(&self) -> Option<(&Task, String)> {
        if let Some((first, second)) = self.repeated_task() {
            let kind = first.kind.as_deref().unwrap_or_default();
            let words = format!("afterStageTasks cannot have two tasks of the same type: {kind}");
            return Some((second, words));
        }
        self.after.iter().enumerate().filter(|(_, task)| task.is_timed_wait()).find_map(
            |(index, task)| {
                let words = match (&task.wait, task.wait_time()) {
                    (None, _) => "has wait duration set to nil",
                    (_, Some(wait)) if wait <= SignedDuration::ZERO => "has wait duration <= 0",
                    _ => return None,
                };
                Some((task, format!("task {index} of type TimedWait {words}")))
            },
        )
    }

    /// Returns how many clusters may be in flight at once, out of `clusters`.
    pub fn concurrency(&self, clusters: usize) -> Option<usize> {
        staging::concurrency(self.max_concurrency.as_deref().unwrap_or("1"), clusters)
    }
}

/// Finds what is wrong with tasks before a stage (KubeFleet pkg/controllers/updaterun).
fn refuse_before(tasks: &[Task]) -> Option<(&Task, String)> {
    if let [_, second, ..] = tasks {
        return Some((second, "beforeStageTasks can have at most one task".to_owned()));
    }
    tasks.iter().enumerate().find_map(|(index, task)| {
        let kind = task.kind.as_deref().unwrap_or_default();
        let words = if !task.is_approval() {
            format!("task {index} of type {kind} is not allowed in beforeStageTasks, allowed type: Approval")
        } else if task.wait.is_some() {
            format!("task {index} of type Approval cannot have wait duration set")
        } else {
            return None;
        };
        Some((task, words))
    })
}

impl Task {
    fn read(node: &Node) -> Self {
        let (kind, wait) = (read_text(node, "type"), read_text(node, "waitTime"));
        Self { site: Site::of(node), kind, wait }
    }

    /// Says whether the task waits for an approval.
    pub fn is_approval(&self) -> bool {
        self.kind.as_deref() == Some("Approval")
    }

    /// Says whether the task waits for some time.
    pub fn is_timed_wait(&self) -> bool {
        self.kind.as_deref() == Some("TimedWait")
    }

    /// Returns the time to wait.
    pub fn wait_time(&self) -> Option<SignedDuration> {
        read_go_duration(self.wait.as_deref()?)
    }
}
