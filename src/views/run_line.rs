//! The line per run: what state it is in, and since when.

use jiff::Timestamp;

use crate::graph::HasMeta as _;
use crate::model::approval::Side;
use crate::model::condition::Condition;
use crate::model::key::ObjectKey;
use crate::model::run::{Phase, Run};

/// One run in one line.
#[derive(Clone, Debug)]
pub struct RunLine {
    /// The run.
    pub object: ObjectKey,
    /// One word in capitals.
    pub state: &'static str,
    /// The stage at work, with the side of its gate where it waits at one.
    pub stage: Option<String>,
    /// The name of that stage.
    pub stage_name: Option<String>,
    /// The gate of that stage at which it waits.
    pub gate: Option<Side>,
    /// Whether it failed before anything was rolled out.
    pub failed_early: bool,
    /// Clusters that are updated, and all clusters of its stages.
    pub updated: (usize, usize),
    /// Since when the run has been in this state.
    pub since: Option<Timestamp>,
    /// Ids of the findings about it and of the causes that explain them, leading ones first.
    pub findings: Vec<String>,
}

impl RunLine {
    /// Says how far a run is; which findings explain it is for who judges.
    pub(crate) fn of(run: &Run) -> Self {
        let progress = run.condition("Progressing");
        let current = run.current_stage();
        let stage_name = current.map(|stage| stage.name().to_owned());
        let at = |condition: Option<&Condition>| {
            condition.and_then(|c| c.since).map(|since| since.value)
        };
        let (state, stage, since) = match run.progress_reason() {
            _ if run.meta.deleting.is_some() => {
                ("DELETING", None, run.meta.deleting.map(|time| time.value))
            }
            _ if run.has_succeeded() => ("SUCCEEDED", None, at(run.condition("Succeeded"))),
            _ if run.failure().is_some() => ("FAILED", stage_name, at(run.failure())),
            "UpdateRunStuck" => ("STUCK", stage_name, at(progress)),
            "UpdateRunWaiting" => {
                let side = current.map(|stage| waiting_side(stage.condition("Progressing")));
                let text = stage_name
                    .zip(side)
                    .map(|(name, side)| format!("{} stage {name}", side.word()));
                // The run's own stamp is renewed at every look while it waits after a stage.
                (
                    "WAITING",
                    text,
                    at(current.and_then(|stage| stage.condition("Progressing"))).or(at(progress)),
                )
            }
            "UpdateRunStopped" => ("STOPPED", stage_name, at(progress)),
            "UpdateRunStopping" => ("STOPPING", stage_name, at(progress)),
            // A row of a table has no reason: the run waits, is stuck or is stopped.
            _ if progress.is_some_and(Condition::is_false) => {
                ("NOT PROGRESSING", stage_name, at(progress))
            }
            _ if progress.is_some() => ("PROGRESSING", stage_name, at(progress)),
            // The end of its text is missing.
            _ if run.meta.partial && (run.conditions.is_empty() || run.is_cut) => {
                ("UNKNOWN", None, None)
            }
            _ if run.is_initialized() => ("NOT STARTED", None, at(run.condition("Initialized"))),
            _ => ("NOT INITIALIZED", None, run.meta.created.map(|time| time.value)),
        };
        let gate = current
            .filter(|_| state == "WAITING")
            .map(|stage| waiting_side(stage.condition("Progressing")));
        let stage_name = current.filter(|_| stage.is_some()).map(|stage| stage.name().to_owned());
        let stage =
            stage.map(|text| if text.contains(' ') { text } else { format!("in stage {text}") });
        let clusters = || run.stages.iter().flat_map(|stage| &stage.clusters);
        let done = clusters().filter(|cluster| cluster.has_succeeded()).count();
        let updated = (done, clusters().count());
        let failed_early = state == "FAILED" && run.failed_in() == Some(Phase::Initialization);
        let object = run.key().clone();
        let findings = Vec::new();
        Self { object, state, stage, stage_name, gate, failed_early, updated, since, findings }
    }
}

/// Tells by the stage's words at which of its gates it waits.
fn waiting_side(progress: Option<&Condition>) -> Side {
    let before = progress.is_some_and(|progress| progress.message().contains("before-stage"));
    if before { Side::Before } else { Side::After }
}
