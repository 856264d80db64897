//! How far an object is, in a few words and since when.

use jiff::Timestamp;

use super::{Mood, State};
use crate::model::binding::{Binding, CHAIN};
use crate::model::condition::{Condition, find_condition};
use crate::model::placement::{PerCluster, Placement};
use crate::model::pod::Pod;
use crate::model::run::{ClusterStatus, StageStatus, TaskStatus};
use crate::model::work::Work;
use crate::source::Spanned;
use crate::views::RunLine;

impl State {
    pub(super) fn new(
        words: impl Into<String>,
        mood: Mood,
        since: Option<Spanned<Timestamp>>,
    ) -> Self {
        let since = since.map(|since| since.value);
        Self { words: words.into(), mood, since, more: String::new() }
    }

    fn by(words: impl Into<String>, mood: Mood, condition: &Condition) -> Self {
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

pub(super) fn of_run(line: &RunLine) -> State {
    let stage = line.stage.as_ref().map(|stage| format!(" {stage}")).unwrap_or_default();
    let mood = match line.state {
        "SUCCEEDED" => Mood::Done,
        "FAILED" | "STUCK" => Mood::Failed,
        "PROGRESSING" => Mood::Active,
        _ => Mood::Waiting,
    };
    let words = format!("{}{stage}", line.state);
    State { words, mood, since: line.since, more: String::new() }
}

pub(super) fn of_stage(stage: &StageStatus) -> State {
    if let Some(ended) = stage.condition("Succeeded") {
        let (words, mood) =
            if ended.is_true() { ("done", Mood::Done) } else { ("failed", Mood::Failed) };
        return State::new(words, mood, stage.end.or(ended.since));
    }
    match stage.condition("Progressing") {
        Some(progress) if progress.reason() == "StageUpdatingWaiting" => {
            State::by("waiting", Mood::Waiting, progress)
        }
        Some(progress) => State::new("updating", Mood::Active, stage.start.or(progress.since)),
        None => State::new("not started", Mood::Waiting, None),
    }
}

pub(super) fn of_task(task: &TaskStatus) -> State {
    let known = [
        ("ApprovalRequestApproved", "approved", Mood::Done),
        ("WaitTimeElapsed", "elapsed", Mood::Done),
        ("ApprovalRequestCreated", "waits for approval", Mood::Waiting),
    ];
    let reached = known.iter().find(|(kind, ..)| task.is(kind));
    let Some((kind, words, mood)) = reached else {
        return State::new("not reached", Mood::Waiting, None);
    };
    let since = find_condition(&task.conditions, kind).and_then(|condition| condition.since);
    State::new(*words, *mood, since)
}

pub(super) fn of_cluster(cluster: &ClusterStatus) -> State {
    match (cluster.condition("Succeeded"), cluster.started()) {
        (Some(ended), _) if ended.is_true() => State::by("done", Mood::Done, ended),
        (Some(ended), _) => State::by(because("failed", ended), Mood::Failed, ended),
        (None, Some(started)) => State::by("updating", Mood::Active, started),
        (None, None) => State::new("not started", Mood::Waiting, None),
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

pub(super) fn of_placement(placement: &Placement) -> State {
    let state = chain(STEPS.iter().map(|step| (*step, placement.condition(step))));
    let sort = if placement.is_external() { "rolled out by runs" } else { "rolled out by itself" };
    state.and(sort)
}

pub(super) fn of_placed(cluster: &PerCluster) -> State {
    chain(STEPS.iter().map(|step| {
        let bare = |condition: &&Condition| {
            *condition.kind == **step
                || condition.kind.strip_prefix("Resource").is_some_and(|rest| rest == *step)
        };
        (*step, cluster.conditions.iter().find(bare))
    }))
}

pub(super) fn of_binding(binding: &Binding) -> State {
    if let Some(deleting) = binding.meta.deleting {
        return State::new("deleting", Mood::Failed, Some(deleting));
    }
    let steps = ["RolloutStarted"].iter().chain(&CHAIN).chain(&["DiffReported"]);
    let state = chain(steps.map(|step| (*step, binding.current(step))));
    let snapshot = binding.snapshot_index().map(|index| format!("snapshot {index}"));
    let spec = binding.state.as_deref().unwrap_or_default();
    let state = if spec.is_empty() || spec == "Bound" { state } else { state.and(spec) };
    snapshot.into_iter().fold(state, |state, snapshot| state.and(&snapshot))
}

pub(super) fn of_work(work: &Work) -> State {
    if let Some(deleting) = work.meta.deleting {
        return State::new("deleting", Mood::Failed, Some(deleting));
    }
    let steps = ["Applied", "Available", "DiffReported"];
    let state = if work.is_processed() || work.conditions.is_empty() {
        chain(steps.iter().map(|step| (*step, work.current(step))))
    } else {
        State::new("the agent has not looked at this generation", Mood::Waiting, None)
    };
    let envelope = work.envelope().map(|envelope| format!("envelope {}", envelope.value));
    envelope.into_iter().fold(state, |state, envelope| state.and(&envelope))
}

pub(super) fn of_report(conditions: &[Condition]) -> State {
    let steps = ["Applied", "Available", "DiffReported"];
    chain(steps.iter().map(|step| (*step, find_condition(conditions, step))))
}

pub(super) fn of_pod(pod: &Pod) -> State {
    let phase = pod.phase.as_deref().unwrap_or("no phase");
    let ready = pod.condition("Ready");
    let since = ready.and_then(|ready| ready.since).or(pod.meta.created);
    let waiting = pod.statuses.iter().map(|status| status.waits_for());
    let starting = ["", "ContainerCreating", "PodInitializing"];
    if let Some(reason) = waiting.clone().find(|reason| !starting.contains(reason)) {
        return State::new(reason, Mood::Failed, since);
    }
    match phase {
        _ if pod.is_ready() => State::new("ready", Mood::Done, since),
        "Succeeded" => State::new(phase, Mood::Done, since),
        "Failed" => State::new(phase, Mood::Failed, since),
        "Pending" => State::new(phase, Mood::Waiting, since),
        _ => State::new(format!("{phase}, not ready"), Mood::Active, since),
    }
}

/// Returns the first step that is not done, else the last that is.
fn chain<'c>(steps: impl Iterator<Item = (&'c str, Option<&'c Condition>)>) -> State {
    let told: Vec<(&str, &Condition)> =
        steps.filter_map(|(step, condition)| Some((step, condition?))).collect();
    if let Some((step, failing)) = told.iter().find(|(_, condition)| condition.is_false()) {
        return State::by(because(&deny(step), failing), Mood::Failed, failing);
    }
    if let Some((step, open)) = told.iter().find(|(_, condition)| !condition.is_true()) {
        return State::by(because(&format!("{} unknown", spell(step)), open), Mood::Active, open);
    }
    match told.last() {
        Some((step @ ("Available" | "DiffReported"), done)) => {
            State::by(spell(step), Mood::Done, done)
        }
        Some((step, done)) => State::by(spell(step), Mood::Active, done),
        None => State::new("no report", Mood::Unknown, None),
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
