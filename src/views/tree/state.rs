//! How far an object is, in a few words and since when.

use jiff::Timestamp;

use super::{NodeProgress, NodeState};
use crate::model::binding::{Binding, CHAIN};
use crate::model::condition::{Condition, find_condition};
use crate::model::placement::{PerCluster, Placement};
use crate::model::pod::Pod;
use crate::model::run::{ClusterStatus, StageStatus, TaskStatus};
use crate::model::work::Work;
use crate::source::Spanned;
use crate::views::RunLine;

impl NodeState {
    pub(super) fn new(
        words: impl Into<String>,
        mood: NodeProgress,
        since: Option<Spanned<Timestamp>>,
    ) -> Self {
        let since = since.map(|since| since.value);
        Self { words: words.into(), mood, since, more: String::new() }
    }

    fn by(words: impl Into<String>, mood: NodeProgress, condition: &Condition) -> Self {
        Self::new(words, mood, condition.since)
    }

    /// Adds what else is to know.
    pub(super) fn and(mut self, words: &str) -> Self {
        if !self.more.is_empty() {
            self.more.push_str(", ");
        }
        self.more.push_str(words);
        self
    }
}

pub(super) fn of_run(line: &RunLine) -> NodeState {
    let stage = line.stage.as_ref().map(|stage| format!(" {stage}")).unwrap_or_default();
    let mood = match line.state {
        "SUCCEEDED" => NodeProgress::Done,
        "FAILED" | "STUCK" => NodeProgress::Failed,
        "PROGRESSING" => NodeProgress::Active,
        _ => NodeProgress::Waiting,
    };
    let words = format!("{}{stage}", line.state);
    NodeState { words, mood, since: line.since, more: String::new() }
}

pub(super) fn of_stage(stage: &StageStatus) -> NodeState {
    if let Some(ended) = stage.condition("Succeeded") {
        let (words, mood) = if ended.is_true() {
            ("done", NodeProgress::Done)
        } else {
            ("failed", NodeProgress::Failed)
        };
        return NodeState::new(words, mood, stage.end.or(ended.since));
    }
    match stage.condition("Progressing") {
        Some(progress) if progress.reason() == "StageUpdatingWaiting" => {
            NodeState::by("waiting", NodeProgress::Waiting, progress)
        }
        Some(progress) => {
            NodeState::new("updating", NodeProgress::Active, stage.start.or(progress.since))
        }
        None => NodeState::new("not started", NodeProgress::Waiting, None),
    }
}

pub(super) fn of_task(task: &TaskStatus) -> NodeState {
    let known = [
        ("ApprovalRequestApproved", "approved", NodeProgress::Done),
        ("WaitTimeElapsed", "elapsed", NodeProgress::Done),
        ("ApprovalRequestCreated", "waits for approval", NodeProgress::Waiting),
    ];
    let reached = known.iter().find(|(kind, ..)| task.is(kind));
    let Some((kind, words, mood)) = reached else {
        return NodeState::new("not reached", NodeProgress::Waiting, None);
    };
    let since = find_condition(&task.conditions, kind).and_then(|condition| condition.since);
    NodeState::new(*words, *mood, since)
}

pub(super) fn of_cluster(cluster: &ClusterStatus) -> NodeState {
    match (cluster.condition("Succeeded"), cluster.started()) {
        (Some(ended), _) if ended.is_true() => NodeState::by("done", NodeProgress::Done, ended),
        (Some(ended), _) => NodeState::by(because("failed", ended), NodeProgress::Failed, ended),
        (None, Some(started)) => NodeState::by("updating", NodeProgress::Active, started),
        (None, None) => NodeState::new("not started", NodeProgress::Waiting, None),
    }
}

/// The conditions of a placement and of its clusters, in the order of the work.
const STEPS: [&str; 7] = [
    "Scheduled",
    "RolloutStarted",
    "Overridden",
    "WorkSynchronized",
    "Applied",
    "Available",
    "DiffReported",
];

pub(super) fn of_placement(placement: &Placement) -> NodeState {
    let state = chain(STEPS.iter().map(|step| (*step, placement.condition(step))));
    let sort = if placement.is_external() { "rolled out by runs" } else { "rolled out by itself" };
    state.and(sort)
}

pub(super) fn of_placed(cluster: &PerCluster) -> NodeState {
    chain(STEPS.iter().map(|step| {
        let bare = |condition: &&Condition| {
            *condition.kind == **step
                || condition.kind.strip_prefix("Resource").is_some_and(|rest| rest == *step)
        };
        (*step, cluster.conditions.iter().find(bare))
    }))
}

pub(super) fn of_binding(binding: &Binding) -> NodeState {
    if let Some(deleting) = binding.meta.deleting {
        return NodeState::new("deleting", NodeProgress::Failed, Some(deleting));
    }
    let steps = ["RolloutStarted"].iter().chain(&CHAIN).chain(&["DiffReported"]);
    let state = chain(steps.map(|step| (*step, binding.current(step))));
    let snapshot = binding.snapshot_index().map(|index| format!("snapshot {index}"));
    let spec = binding.state.as_deref().unwrap_or_default();
    let state = if spec.is_empty() || spec == "Bound" { state } else { state.and(spec) };
    snapshot.into_iter().fold(state, |state, snapshot| state.and(&snapshot))
}

pub(super) fn of_work(work: &Work) -> NodeState {
    if let Some(deleting) = work.meta.deleting {
        return NodeState::new("deleting", NodeProgress::Failed, Some(deleting));
    }
    let steps = ["Applied", "Available", "DiffReported"];
    let state = if work.is_processed() || work.conditions.is_empty() {
        chain(steps.iter().map(|step| (*step, work.current(step))))
    } else {
        NodeState::new("the agent has not looked at this generation", NodeProgress::Waiting, None)
    };
    let envelope = work.envelope().map(|envelope| format!("envelope {}", envelope.value));
    envelope.into_iter().fold(state, |state, envelope| state.and(&envelope))
}

pub(super) fn of_report(conditions: &[Condition]) -> NodeState {
    let steps = ["Applied", "Available", "DiffReported"];
    chain(steps.iter().map(|step| (*step, find_condition(conditions, step))))
}

pub(super) fn of_pod(pod: &Pod) -> NodeState {
    let phase = pod.phase.as_deref().unwrap_or("no phase");
    let ready = pod.condition("Ready");
    let since = ready.and_then(|ready| ready.since).or(pod.meta.created);
    let waiting = pod.statuses.iter().map(|status| status.waits_for());
    let starting = ["", "ContainerCreating", "PodInitializing"];
    if let Some(reason) = waiting.clone().find(|reason| !starting.contains(reason)) {
        return NodeState::new(reason, NodeProgress::Failed, since);
    }
    match phase {
        _ if pod.is_ready() => NodeState::new("ready", NodeProgress::Done, since),
        "Succeeded" => NodeState::new(phase, NodeProgress::Done, since),
        "Failed" => NodeState::new(phase, NodeProgress::Failed, since),
        "Pending" => NodeState::new(phase, NodeProgress::Waiting, since),
        _ => NodeState::new(format!("{phase}, not ready"), NodeProgress::Active, since),
    }
}

/// Returns the first step that is not done, else the last that is.
fn chain<'c>(steps: impl Iterator<Item = (&'c str, Option<&'c Condition>)>) -> NodeState {
    let told: Vec<(&str, &Condition)> =
        steps.filter_map(|(step, condition)| Some((step, condition?))).collect();
    if let Some((step, failing)) = told.iter().find(|(_, condition)| condition.is_false()) {
        return NodeState::by(because(&deny(step), failing), NodeProgress::Failed, failing);
    }
    if let Some((step, open)) = told.iter().find(|(_, condition)| !condition.is_true()) {
        return NodeState::by(
            because(&format!("{} unknown", spell(step)), open),
            NodeProgress::Active,
            open,
        );
    }
    match told.last() {
        Some((step @ ("Available" | "DiffReported"), done)) => {
            NodeState::by(spell(step), NodeProgress::Done, done)
        }
        Some((step, done)) => NodeState::by(spell(step), NodeProgress::Active, done),
        None => NodeState::new("no report", NodeProgress::Unknown, None),
    }
}

/// Spells the type of a condition as people say it: `WorkSynchronized` is "work synchronized".
fn spell(kind: &str) -> String {
    let mut words = String::new();
    for c in kind.chars() {
        if c.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.extend(c.to_lowercase());
    }
    words
}

/// Says that a step was not reached: "rollout not started", "not applied".
fn deny(step: &str) -> String {
    let words = spell(step);
    match words.rsplit_once(' ') {
        Some((what, done)) => format!("{what} not {done}"),
        None => format!("not {words}"),
    }
}

fn because(words: &str, condition: &Condition) -> String {
    let reason = condition.reason();
    if reason.is_empty() { words.to_owned() } else { format!("{words}: {reason}") }
}
