//! The line per run: what state it is in, since when, and which findings explain it.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use super::Resolved;
use super::verdict::Chains;
use crate::graph::{Graph, HasMeta};
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
    /// Since when.
    pub since: Option<Timestamp>,
    /// Ids of the findings about it and of the causes that explain them, leading ones first.
    pub findings: Vec<String>,
}

/// Makes the lines of all runs, in key order.
pub fn run_lines(graph: &Graph, findings: &[Resolved]) -> Vec<RunLine> {
    let chains = Chains::of(findings);
    let by_object = chains.by_object(findings);
    let runs = graph.runs.as_slice();
    let mut named: BTreeMap<&ObjectKey, usize> = BTreeMap::new();
    runs.iter().for_each(|run| *named.entry(run.key()).or_default() += 1);
    let alone = |run: &Run| named.get(run.key()) == Some(&1);
    let lines = runs.iter().map(|run| {
        // Fragments of a ticket share a name, or have none: there only what points into the text is the run's own.
        let own = if alone(run) {
            by_object.get(run.key()).cloned().unwrap_or_default()
        } else {
            pointing_into(run, findings)
        };
        run_line(run, with_causes(own, findings, &chains))
    });
    lines.collect()
}

fn run_line(run: &Run, findings: Vec<String>) -> RunLine {
    let progress = run.condition("Progressing");
    let current = run.current_stage();
    let stage_name = current.map(|stage| stage.name().to_owned());
    let at =
        |condition: Option<&Condition>| condition.and_then(|c| c.since).map(|since| since.value);
    let (state, stage, since) = match run.progress_reason() {
        _ if run.meta.deleting.is_some() => {
            ("DELETING", None, run.meta.deleting.map(|time| time.value))
        }
        _ if run.has_succeeded() => ("SUCCEEDED", None, at(run.condition("Succeeded"))),
        _ if run.failure().is_some() => ("FAILED", stage_name, at(run.failure())),
        "UpdateRunStuck" => ("STUCK", stage_name, at(progress)),
        "UpdateRunWaiting" => {
            let side = current.map(|stage| waiting_side(stage.condition("Progressing")));
            let text =
                stage_name.zip(side).map(|(name, side)| format!("{} stage {name}", side.word()));
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
    RunLine { object, state, stage, stage_name, gate, failed_early, updated, since, findings }
}

/// Tells by the stage's words at which of its gates it waits.
fn waiting_side(progress: Option<&Condition>) -> Side {
    let before = progress.is_some_and(|progress| progress.message().contains("before-stage"));
    if before { Side::Before } else { Side::After }
}

/// Returns the findings that point into the text of a run.
fn pointing_into(run: &Run, findings: &[Resolved]) -> BTreeSet<usize> {
    let points = |resolved: &Resolved| {
        let mut places = std::iter::once(&resolved.primary).chain(&resolved.related);
        places.any(|place| run.meta.span.contains(place.span))
    };
    let own = findings.iter().enumerate().filter(|(_, resolved)| points(resolved));
    own.map(|(index, _)| index).collect()
}

/// Returns the ids of some findings and of what explains them, leading ones first.
fn with_causes(own: BTreeSet<usize>, findings: &[Resolved], chains: &Chains) -> Vec<String> {
    let (leading, others): (Vec<usize>, Vec<usize>) =
        chains.with_causes(own).into_iter().partition(|index| chains.leads(*index));
    let all = leading.into_iter().chain(others).filter_map(|index| findings.get(index));
    all.map(|resolved| resolved.id.clone()).collect()
}
