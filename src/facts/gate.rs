//! The gate at which a run waits, with its open tasks: what every gate rule starts from.

use std::cmp::Ordering;

use crate::finding::Topic;
use crate::grammar::kind::Kind;
use crate::graph::Graph;
use crate::model::approval::{ApprovalRequest, Side};
use crate::model::condition::Condition;
use crate::model::run::{Run, StageStatus, TaskStatus};

/// A gate stands in its run alone.
pub const READS: &[Kind] = &[Kind::Run];

/// A gate that holds a run at capture.
#[derive(Clone, Debug)]
pub struct Gate<'g> {
    /// The run.
    pub run: &'g Run,
    /// The condition by which the run says that it waits here.
    pub progress: &'g Condition,
    /// The stage's name.
    pub stage: &'g str,
    /// The side of the stage.
    pub side: Side,
    /// The stage, if the bundle shows it.
    pub status: Option<&'g StageStatus>,
}

/// Returns the gates that hold runs; a run that has ended or is stopped waits for nobody.
pub(super) fn find_open_gates(graph: &Graph) -> Vec<Gate<'_>> {
    // A run waits only after it was set to Run; a piece of it may not show that, and old releases ignore the state.
    let waiting = graph.runs.iter().filter(|run| !run.is_terminal() && run.state() != "Stop");
    waiting
        .filter_map(|run| {
            let (stage, side) = run.waiting_at()?;
            let progress = run.condition("Progressing")?;
            Some(Gate { run, progress, stage, side, status: run.find_stage(stage) })
        })
        .collect()
}

impl<'g> Gate<'g> {
    /// Returns what findings about this gate are about.
    pub fn topic(&self) -> Topic {
        Topic::Gate(self.run.meta.key.clone(), self.stage.into(), self.side)
    }

    /// Returns the tasks of the gate.
    pub fn tasks(&self) -> &'g [TaskStatus] {
        self.status.map(|status| status.tasks(self.side)).unwrap_or_default()
    }

    /// Returns the task that waits for an approval, if it is still open.
    pub fn open_approval(&self) -> Option<&'g TaskStatus> {
        let approval =
            |task: &&TaskStatus| task.kind.as_deref() == Some("Approval") || task.request.is_some();
        self.tasks().iter().filter(approval).find(|task| !task.is("ApprovalRequestApproved"))
    }

    /// Returns the timed wait, if it is still running.
    pub fn open_wait(&self) -> Option<&'g TaskStatus> {
        let timed = |task: &&TaskStatus| task.kind.as_deref() == Some("TimedWait");
        self.tasks().iter().filter(timed).find(|task| !task.is("WaitTimeElapsed"))
    }

    /// Says whether an approval holds the gate; without the stage's tasks it may be one.
    pub fn waits_for_approval(&self) -> bool {
        self.open_approval().is_some() || self.tasks().is_empty()
    }

    /// Returns the name of the request that opens the gate.
    pub fn request_name(&self) -> String {
        let named = self.open_approval().and_then(|task| task.request.as_deref());
        let made = || ApprovalRequest::name_of(self.run.meta.name(), self.side, self.stage);
        named.map_or_else(made, str::to_owned)
    }

    /// Tells where the gate of a request lies: behind this one (`Less`), here, or ahead; `None` where nothing tells.
    pub fn order_of(&self, request: &ApprovalRequest) -> Option<Ordering> {
        let (stage, side) = (request.stage_name()?, request.side()?);
        let shown: Vec<&str> = self.run.stages.iter().map(StageStatus::name).collect();
        let frozen = || self.run.frozen_stages.iter().flatten().map(|stage| stage.name()).collect();
        let names = if shown.is_empty() { frozen() } else { shown };
        let place = |name: &str| names.iter().position(|other| *other == name);
        match stage == self.stage {
            true => Some(side.cmp(&self.side)),
            false => Some(place(stage)?.cmp(&place(self.stage)?)),
        }
    }

    /// Returns `after stage qa`.
    pub fn show(&self) -> String {
        format!("{} stage {}", self.side.word(), self.stage)
    }
}

/// How a request stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApprovalState {
    /// Nobody has said anything, or only `Unknown`.
    Open,
    /// `Approved` is False.
    Denied,
    /// `Approved` is True, but for another generation.
    Stale,
    /// `Approved` is True for this generation.
    Given,
    /// The controller has taken the approval.
    Accepted,
}

/// Tells how a request stands; a table row shows no generation, so its word is taken as given.
pub fn answer(request: &ApprovalRequest) -> ApprovalState {
    if request.accepted().is_some_and(Condition::is_true) {
        return ApprovalState::Accepted;
    }
    match request.approved() {
        Some(approved) if approved.is_true() => match request.meta.generation() {
            Some(generation) if approved.generation() != generation => ApprovalState::Stale,
            _ => ApprovalState::Given,
        },
        Some(approved) if approved.is_false() => ApprovalState::Denied,
        _ => ApprovalState::Open,
    }
}
