//! The way of a run by the log of hub-agent, and the steps in it that the controller does not take.
//!
//! Owns the walk over the lines of one log. A life of a run ends with its deletion and begins with its
//! initialization, so that a run made again under the same name is not mixed with the one before; a status that
//! could not be stored is done again, so everything before it is forgotten.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use crate::grammar::message::{HoleRole, LogLines, line};
use crate::model::log::{LogEvent, LogRef};
use crate::rule::Cx;
use crate::rules::logs::binding_takeovers::lost_cluster;

/// The lines by which a run is followed.
const FOLLOWED: [LogLines; 14] = [
    line::INIT_DONE,
    line::FINALIZER_ADDED,
    line::RUN_DELETING,
    line::CLUSTER_START,
    line::CLUSTER_DONE,
    line::BOUND,
    line::PREEMPTED,
    line::REQUEST_CREATED,
    line::REQUEST_OPEN,
    line::REQUEST_APPROVED,
    line::REQUEST_ACCEPTED,
    line::ABORT_STAGE,
    line::RUN_FINISHED,
    line::RUN_COMPLETED,
];

/// A line that does not fit to an earlier one.
pub struct LogStep<'g> {
    /// The contradiction as a clause.
    pub what: String,
    /// The run.
    pub run: &'g LogRef,
    /// The line that shows the step.
    pub event: &'g LogEvent,
    /// The line that forbids it.
    pub against: &'g LogEvent,
}

/// One life of a run, as far as the log has shown it.
#[derive(Default)]
struct Life<'g> {
    ended: Option<&'g LogEvent>,
    lost: BTreeMap<SmolStr, &'g LogEvent>,
    /// The clusters that were started and are not done: stage and line.
    open: BTreeMap<&'g str, (&'g str, &'g LogEvent)>,
    /// The stages in the order in which they were taken up, each with the last line about it.
    stages: Vec<(&'g str, &'g LogEvent)>,
    /// The gates that are shut, by stage.
    shut: BTreeMap<&'g str, &'g LogEvent>,
}

/// Follows every run through every log and returns the steps that do not fit.
pub fn replay_logs<'g>(cx: &Cx<'g>) -> Vec<LogStep<'g>> {
    let mut steps = Vec::new();
    let mut lives: BTreeMap<(usize, &str, &str), Life<'g>> = BTreeMap::new();
    let whole: Vec<bool> = (0..cx.logs().len()).map(|log| is_whole(cx, log)).collect();
    let picked: Vec<bool> = (0..cx.logs().len()).map(|log| is_picked(cx, log)).collect();
    for event in cx.log_events() {
        let Some(run) = event.find(HoleRole::Run) else { continue };
        let Some(picked) = picked.get(event.log) else { continue };
        if whole.get(event.log) != Some(&true) {
            continue;
        }
        let life = lives.entry((event.log, &run.namespace, &run.name)).or_default();
        if begins_anew(event) {
            *life = Life::default();
            continue;
        }
        if let Some((what, against)) = life.contradiction(event, *picked) {
            steps.push(LogStep { what, run, event, against });
            // One contradiction brings others with it.
            *life = Life::default();
        }
        life.note(event, &run.name);
    }
    steps
}

/// Says whether all lines by which runs are followed were kept, so that a missing one was not written.
fn is_whole(cx: &Cx<'_>, log: usize) -> bool {
    FOLLOWED.iter().all(|lines| cx.keeps_all(log, lines.stem()))
}

/// Says whether somebody has picked lines out of a log, so that what it lacks proves nothing.
///
/// Every start of a cluster but the last one is followed by the line about its binding.
fn is_picked(cx: &Cx<'_>, log: usize) -> bool {
    let own = || cx.log_events().iter().filter(|event| event.log == log);
    let starts = own().filter(|event| event.is(line::CLUSTER_START));
    let last = starts.clone().next_back().map(|last| last.line);
    let mut bound: BTreeMap<Option<&str>, u32> = BTreeMap::new();
    for event in own().filter(|event| event.is(line::BOUND)) {
        let latest = bound.entry(event.named(HoleRole::Cluster)).or_default();
        *latest = event.line.max(*latest);
    }
    let is_bound = |start: &LogEvent| {
        bound.get(&start.named(HoleRole::Cluster)).is_some_and(|line| *line > start.line)
    };
    starts.filter(|start| Some(start.line) != last).any(|start| !is_bound(start))
}

/// Says whether what the log has shown of the run before does not bind it any more.
fn begins_anew(event: &LogEvent) -> bool {
    [line::INIT_DONE, line::FINALIZER_ADDED, line::RUN_DELETING, line::STATUS]
        .iter()
        .any(|lines| event.is(*lines))
}

impl<'g> Life<'g> {
    /// Tells whether a line shows a step that what came before forbids, and by which line.
    fn contradiction(&self, event: &'g LogEvent, picked: bool) -> Option<(String, &'g LogEvent)> {
        let cluster = event.named(HoleRole::Cluster).unwrap_or_default();
        let starts = event.is(line::CLUSTER_START);
        let works = starts || event.is(line::BOUND) || event.is(line::CLUSTER_DONE);
        if let Some(ended) = self.ended.filter(|_| works) {
            return Some((format!("it worked on cluster {cluster} after it had ended"), ended));
        }
        if event.is(line::CLUSTER_DONE) {
            let lost = self.lost.get(cluster)?;
            return Some((format!("cluster {cluster} succeeded after it was pre-empted"), lost));
        }
        let stage = event.named(HoleRole::Stage).filter(|_| starts)?;
        if let Some(gate) = self.shut.get(stage).filter(|_| !picked) {
            let what = format!("stage {stage} started before its gate was accepted");
            return Some((what, gate));
        }
        let (last, _) = self.stages.last().filter(|(last, _)| *last != stage)?;
        if let Some((_, line)) = self.stages.iter().find(|(known, _)| *known == stage) {
            let what = format!("stage {stage} was taken up again after stage {last}");
            return Some((what, line));
        }
        let (open, (_, line)) = self.open.iter().next().filter(|_| !picked)?;
        Some((
            format!("stage {stage} started before cluster {open} of stage {last} was done"),
            line,
        ))
    }

    /// Takes note of what a line shows.
    fn note(&mut self, event: &'g LogEvent, run: &str) {
        let stage = event.named(HoleRole::Stage).unwrap_or_default();
        let cluster = event.named(HoleRole::Cluster).unwrap_or_default();
        if event.is(line::CLUSTER_START) {
            self.open.insert(cluster, (stage, event));
            match self.stages.iter_mut().find(|(known, _)| *known == stage) {
                Some((_, line)) => *line = event,
                None => self.stages.push((stage, event)),
            }
        } else if event.is(line::CLUSTER_DONE) {
            self.open.remove(cluster);
        } else if event.is(line::PREEMPTED) {
            self.lost.extend(lost_cluster(event).map(|cluster| (cluster, event)));
        } else if event.is(line::REQUEST_CREATED) || event.is(line::REQUEST_OPEN) {
            let gate = event.named(HoleRole::ApprovalRequest).unwrap_or_default();
            if gate.strip_prefix(run).is_some_and(|rest| rest.starts_with("-before-")) {
                self.shut.insert(stage, event);
            }
        } else if event.is(line::REQUEST_APPROVED) || event.is(line::REQUEST_ACCEPTED) {
            self.shut.remove(stage);
        } else if [line::ABORT_STAGE, line::RUN_FINISHED, line::RUN_COMPLETED]
            .iter()
            .any(|lines| event.is(*lines))
        {
            self.ended = Some(event);
        }
    }
}
