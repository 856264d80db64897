//! The line per run: what state it is in, since when, and which findings explain it.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use super::Resolved;
use crate::finding::Topic;
use crate::graph::{Graph, HasMeta};
use crate::model::approval::Side;
use crate::model::condition::Condition;
use crate::model::key::ObjectKey;
use crate::model::run::Run;

/// One run in one line.
#[derive(Clone, Debug)]
pub struct RunLine {
    /// The run.
    pub object: ObjectKey,
    /// One word in capitals.
    pub state: &'static str,
    /// The stage at work, with the side of its gate where it waits at one.
    pub stage: Option<String>,
    /// Since when.
    pub since: Option<Timestamp>,
    /// Ids of the findings about it and of the causes that explain them, leading ones first.
    pub findings: Vec<String>,
}

/// Makes the lines of all runs, in key order.
pub fn run_lines(graph: &Graph, findings: &[Resolved]) -> Vec<RunLine> {
    let runs = graph.runs.as_slice();
    let mut named: BTreeMap<&ObjectKey, usize> = BTreeMap::new();
    runs.iter().for_each(|run| *named.entry(run.key()).or_default() += 1);
    let alone = |run: &Run| named.get(run.key()) == Some(&1);
    let lines = runs.iter().map(|run| {
        let own = findings_of(run, findings, if alone(run) { By::Name } else { By::Text });
        run_line(run, own)
    });
    lines.collect()
}

/// How a finding is known to concern a run.
#[derive(Clone, Copy)]
enum By {
    /// It names the run.
    Name,
    /// It points into the run's text: fragments of a ticket share a name, or have none.
    Text,
}

fn run_line(run: &Run, findings: Vec<String>) -> RunLine {
    let progress = run.condition("Progressing");
    let stage = run.current_stage();
    let stage_name = stage.map(|stage| stage.name().to_owned());
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
            let side = stage.map(|stage| waiting_side(stage.condition("Progressing")));
            let text =
                stage_name.zip(side).map(|(name, side)| format!("{} stage {name}", side.word()));
            // The run's own stamp is renewed at every look while it waits after a stage.
            (
                "WAITING",
                text,
                at(stage.and_then(|stage| stage.condition("Progressing"))).or(at(progress)),
            )
        }
        "UpdateRunStopped" => ("STOPPED", stage_name, at(progress)),
        "UpdateRunStopping" => ("STOPPING", stage_name, at(progress)),
        _ if progress.is_some() => ("PROGRESSING", stage_name, at(progress)),
        // The end of its text is missing.
        _ if run.meta.partial && run.conditions.is_empty() => ("UNKNOWN", None, None),
        _ if run.is_initialized() => ("NOT STARTED", None, at(run.condition("Initialized"))),
        _ => ("NOT INITIALIZED", None, run.meta.created.map(|time| time.value)),
    };
    let stage =
        stage.map(|text| if text.contains(' ') { text } else { format!("in stage {text}") });
    RunLine { object: run.key().clone(), state, stage, since, findings }
}

/// Tells by the stage's words at which of its gates it waits.
fn waiting_side(progress: Option<&Condition>) -> Side {
    let before = progress.is_some_and(|progress| progress.message().contains("before-stage"));
    if before { Side::Before } else { Side::After }
}

fn findings_of(run: &Run, findings: &[Resolved], by: By) -> Vec<String> {
    let concerns = |topic: &Topic| match topic {
        Topic::Run(key) | Topic::Gate(key, ..) | Topic::RunCluster(key, _) => key == run.key(),
        _ => false,
    };
    let concerned = |resolved: &&Resolved| {
        let finding = &resolved.finding;
        match by {
            By::Name => {
                resolved.primary.object.as_ref() == Some(run.key())
                    || finding.about.iter().chain(&finding.explains).any(concerns)
            }
            By::Text => [&resolved.primary]
                .into_iter()
                .chain(&resolved.related)
                .any(|place| run.meta.span.contains(place.span)),
        }
    };
    let own: BTreeSet<&str> = findings.iter().filter(concerned).map(|it| &*it.id).collect();
    // Downwards to the causes; a visited id is not followed again.
    let mut known = own.clone();
    let mut open: Vec<&str> = own.into_iter().collect();
    while let Some(id) = open.pop() {
        let causes = findings.iter().filter(|it| it.id == id).flat_map(|it| &it.explained_by);
        open.extend(causes.filter(|cause| known.insert(cause)).map(|cause| &**cause));
    }
    let (leading, others): (Vec<&Resolved>, Vec<&Resolved>) = findings
        .iter()
        .filter(|resolved| known.contains(&*resolved.id))
        .partition(|resolved| resolved.explained_by.is_empty());
    leading.into_iter().chain(others).map(|resolved| resolved.id.clone()).collect()
}
