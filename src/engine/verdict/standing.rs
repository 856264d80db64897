//! [`Standing`]: one run or placement in one line, with the reasons why it is not well.

use std::cmp::Reverse;

use jiff::Timestamp;

use super::Chains;
use crate::engine::finding_places::FindingPlaces;
use crate::engine::{ResolvedFinding, RunLine};
use crate::finding::Severity;
use crate::graph::Clock;
use crate::model::key::ObjectKey;
use crate::model::run::DELETE_STAGE;

/// How a run or a placement stands, worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StandingState {
    /// A run that has ended and cannot be resumed.
    Failed,
    /// A run that waits for a cluster and says so.
    Stuck,
    /// It cannot continue, and does not say "stuck".
    Blocked,
    /// It was deleted and is still there.
    Deleting,
    /// It waits at a gate.
    Waiting,
    /// It was stopped.
    Stopped,
    /// It is being stopped.
    Stopping,
    /// No controller has initialized it.
    NotInitialized,
    /// It is initialized and was not told to run.
    NotStarted,
    /// A controller works on it.
    InProgress,
    /// The bundle does not tell.
    Unknown,
    /// A placement that is available everywhere.
    Available,
    /// A run that has done its work.
    Succeeded,
}

impl StandingState {
    /// Returns the word of a report.
    pub fn word(self) -> &'static str {
        match self {
            Self::Failed => "FAILED",
            Self::Stuck => "STUCK",
            Self::Blocked => "BLOCKED",
            Self::Deleting => "DELETING",
            Self::Waiting => "WAITING",
            Self::Stopped => "STOPPED",
            Self::Stopping => "STOPPING",
            Self::NotInitialized => "NOT INITIALIZED",
            Self::NotStarted => "NOT STARTED",
            Self::InProgress => "IN PROGRESS",
            Self::Unknown => "UNKNOWN",
            Self::Available => "AVAILABLE",
            Self::Succeeded => "SUCCEEDED",
        }
    }

    pub(super) fn of_word(word: &str) -> Self {
        match word {
            "FAILED" => Self::Failed,
            "STUCK" => Self::Stuck,
            "DELETING" => Self::Deleting,
            "WAITING" => Self::Waiting,
            "STOPPED" => Self::Stopped,
            "STOPPING" => Self::Stopping,
            "NOT INITIALIZED" => Self::NotInitialized,
            "NOT STARTED" => Self::NotStarted,
            "PROGRESSING" => Self::InProgress,
            "SUCCEEDED" => Self::Succeeded,
            _ => Self::Unknown,
        }
    }
}

/// Why a run or a placement stands as it does.
#[derive(Clone, Debug)]
pub struct StandingReason {
    /// The leading finding.
    pub finding: usize,
    /// The code of the finding.
    pub code: &'static str,
    /// The message of the finding.
    pub text: String,
}

/// A run or a placement in one line.
#[derive(Clone, Debug)]
pub struct Standing {
    /// The run or placement.
    pub object: ObjectKey,
    /// Its name, with its namespace if it has one.
    pub name: String,
    /// The state that the first screen shows.
    pub state: StandingState,
    /// Where and since when, to be read after the state: `in stage dev at 12:50:19Z`.
    pub words: String,
    /// Since when it has been in this state.
    pub since: Option<Timestamp>,
    /// Clusters that are updated, of how many; a run that has clusters has it.
    pub updated: Option<(usize, usize)>,
    /// Why, the worst first; the notes only where nothing is worse.
    pub reasons: Vec<StandingReason>,
    /// How bad the worst reason is.
    pub severity: Option<Severity>,
    /// Whether only a log tells of it.
    pub by_log: bool,
}

impl Standing {
    /// Makes a standing of what is known of an object and of the findings about it.
    pub(super) fn new(
        object: &ObjectKey,
        (state, words): (StandingState, String),
        since: Option<Timestamp>,
        own: impl Iterator<Item = usize>,
        findings: &[ResolvedFinding],
    ) -> Self {
        let mut reasons: Vec<(Severity, usize)> = own
            .filter_map(|index| Some((findings.get(index)?.finding.severity, index)))
            .filter(|(_, index)| !findings.get(*index).is_some_and(is_aside))
            .collect();
        reasons.sort_by_key(|(severity, index)| (Reverse(*severity), *index));
        let severity = reasons.first().map(|(severity, _)| *severity);
        reasons.retain(|(own, _)| Some(*own) == severity || *own >= Severity::Warning);
        let state = match state {
            StandingState::InProgress if severity == Some(Severity::Error) => {
                StandingState::Blocked
            }
            _ => state,
        };
        let reason = |index: usize| {
            let finding = &findings.get(index)?.finding;
            Some(StandingReason {
                finding: index,
                code: finding.code,
                text: finding.message.clone(),
            })
        };
        Self {
            object: object.clone(),
            name: object.path(),
            state,
            words,
            since,
            updated: None,
            reasons: reasons.into_iter().filter_map(|(_, index)| reason(index)).collect(),
            severity,
            by_log: false,
        }
    }

    /// Returns what standings are sorted by: the worst first.
    pub(super) fn rank(&self) -> (Reverse<Option<Severity>>, StandingState, ObjectKey) {
        (Reverse(self.severity), self.state, self.object.clone())
    }
}

/// Says whether a finding is about the bundle itself, which never explains the state of a run.
fn is_aside(resolved: &ResolvedFinding) -> bool {
    super::nature(resolved) == super::Nature::Bookkeeping
}

/// Makes the standing of a run that the bundle holds.
pub(super) fn of_run(
    run: &RunLine,
    findings: &[ResolvedFinding],
    (chains, places): (&Chains, &FindingPlaces<'_>),
    clock: &Clock,
) -> Standing {
    let state = StandingState::of_word(run.state);
    let mut words: Vec<String> = Vec::new();
    if run.failed_early {
        words.push("at initialization".to_owned());
    }
    let deletion = run.stage_name.as_deref() == Some(DELETE_STAGE);
    let stage = if deletion { Some("in the deletion stage".to_owned()) } else { run.stage.clone() };
    words.extend(stage.filter(|_| !run.failed_early));
    let over = matches!(state, StandingState::Failed | StandingState::Succeeded);
    let stamp = run.since.filter(|_| state != StandingState::InProgress);
    words.extend(stamp.map(|since| {
        format!("{} {}", if over { "at" } else { "since" }, clock.show_moment(since))
    }));
    let mut words = words.join(" ");
    let (done, all) = run.updated;
    let counted = [
        StandingState::Stuck,
        StandingState::InProgress,
        StandingState::Stopped,
        StandingState::Stopping,
    ];
    if all > 0 && counted.contains(&state) {
        let comma = if words.is_empty() { "" } else { ", " };
        words.push_str(&format!("{comma}{done} of {all} clusters updated"));
    }
    let own = run.findings.iter().filter_map(|id| places.get(id));
    let own = own.filter(|index| chains.leads(*index));
    let standing = Standing::new(&run.object, (state, words), run.since, own, findings);
    Standing { updated: (all > 0).then_some((done, all)), ..standing }
}
