//! Clusters that a run waits for: named in its words, or in flight by its status.

use std::collections::BTreeSet;

use jiff::Timestamp;
use smol_str::SmolStr;

use super::Facts;
use crate::grammar::kind::Kind;
use crate::grammar::message::{HoleRole, MessageContext};
use crate::graph::Graph;
use crate::model::condition::Condition;
use crate::model::run::Run;
use crate::source::{Span, Spanned};

/// The run, and where the cluster may be seen as done.
pub const READS: &[Kind] = &[Kind::Run, Kind::Binding, Kind::Placement];

/// A cluster that a run has started, or says that it waits for.
#[derive(Debug)]
pub struct WaitingCluster<'g> {
    /// The run.
    pub run: &'g Run,
    /// The cluster.
    pub cluster: SmolStr,
    /// The stage.
    pub stage: Option<&'g str>,
    /// Since when the cluster is in flight.
    pub since: Option<Spanned<Timestamp>>,
    /// Where the run speaks of the cluster.
    pub span: Span,
    /// What proves that the cluster is done by now, if anything does.
    pub done: Option<&'g Condition>,
}

impl WaitingCluster<'_> {
    /// Says whether the run itself reports that it is stuck.
    pub fn is_reported_stuck(&self) -> bool {
        self.run.progress_reason() == "UpdateRunStuck"
    }
}

/// Returns the clusters that runs wait for; a run that has ended waits for none.
pub(super) fn find_waiting_clusters<'g>(facts: &Facts<'g>) -> Vec<WaitingCluster<'g>> {
    let open = facts.graph().runs.iter().filter(|run| !run.is_terminal());
    let mut waiting: Vec<_> = open.flat_map(|run| waiting_of(facts, run)).collect();
    for one in &mut waiting {
        one.done = find_done(facts.graph(), one);
    }
    waiting
}

fn waiting_of<'g>(facts: &Facts<'g>, run: &'g Run) -> Vec<WaitingCluster<'g>> {
    let mut waiting: Vec<WaitingCluster<'g>> = Vec::new();
    let stuck =
        run.condition("Progressing").filter(|condition| condition.reason() == "UpdateRunStuck");
    if let Some(message) = stuck.and_then(|condition| condition.message.as_ref()) {
        for range in stuck_names(facts, message) {
            let name: SmolStr = message.get(range.clone()).unwrap_or_default().into();
            let found = run.find_cluster(&name);
            waiting.push(WaitingCluster {
                run,
                stage: found.map(|(stage, _)| stage.name()),
                since: found
                    .and_then(|(_, cluster)| cluster.started())
                    .and_then(|started| started.since),
                span: facts.within(message, range),
                done: None,
                cluster: name,
            });
        }
    }
    if let Some(stuck) = stuck.filter(|_| waiting.is_empty()) {
        waiting.extend(unnamed_clusters(facts.graph(), run, stuck.best_span()));
    }
    let mut known: BTreeSet<SmolStr> = waiting.iter().map(|one| one.cluster.clone()).collect();
    // The message names three clusters at most, and only counts them in some documents.
    for stage in run.stages.iter() {
        for cluster in stage.clusters.iter().filter(|cluster| cluster.is_in_flight()) {
            if !known.insert(cluster.name.value.clone()) {
                continue;
            }
            waiting.push(WaitingCluster {
                run,
                cluster: cluster.name.value.clone(),
                stage: Some(stage.name()),
                since: cluster.started().and_then(|started| started.since),
                span: cluster.name.span,
                done: None,
            });
        }
    }
    waiting
}

/// Returns the clusters that a run only counts: those on which its placement is not done, of a piece without stages.
fn unnamed_clusters<'g>(graph: &'g Graph, run: &'g Run, span: Span) -> Vec<WaitingCluster<'g>> {
    let placement = graph.find_placement(run).filter(|_| run.stages.is_empty());
    let clusters = placement.into_iter().flat_map(|placement| &placement.clusters);
    let failing = clusters.filter(|cluster| {
        let started = cluster.condition("RolloutStarted").is_some_and(Condition::is_true);
        let mut steps = ["Applied", "Available"].iter();
        started && steps.any(|kind| cluster.condition(kind).is_some_and(Condition::is_false))
    });
    let waiting = failing.map(|cluster| WaitingCluster {
        run,
        cluster: cluster.name().into(),
        stage: None,
        since: None,
        span,
        done: None,
    });
    waiting.collect()
}

/// Finds what proves that a cluster is done by now: its binding, else what the placement copied from it.
fn find_done<'g>(graph: &'g Graph, waiting: &WaitingCluster<'_>) -> Option<&'g Condition> {
    const DONE: [&str; 2] = ["Available", "DiffReported"];
    if let Some(binding) = graph.find_binding(waiting.run, &waiting.cluster) {
        return DONE
            .iter()
            .find_map(|kind| binding.current(kind).filter(|condition| condition.is_true()));
    }
    let entry = graph.find_placement(waiting.run)?.find_cluster(&waiting.cluster)?;
    let by_this_run = entry.condition("RolloutStarted").is_some_and(|started| {
        started.is_true()
            && started.message().ends_with(&format!("updateRun: {}", waiting.run.meta.name()))
    });
    // The copy may be of what was before this run: only a later stamp tells of it.
    let later = |condition: &&Condition| {
        let since = condition.since.map(|since| since.value);
        since > waiting.since.map(|since| since.value)
    };
    let done = || DONE.iter().find_map(|kind| entry.condition(kind).filter(|c| c.is_true()));
    by_this_run.then(done).flatten().filter(later)
}

/// Finds the cluster names in the words of a stuck run, in every wording of every release.
fn stuck_names<'g>(facts: &Facts<'g>, message: &'g str) -> Vec<std::ops::Range<usize>> {
    let hint = MessageContext {
        condition_type: Some("Progressing"),
        reason: Some("UpdateRunStuck"),
        kind: None,
    };
    let recognised = facts.messages().recognise(message, hint);
    recognised.refs(HoleRole::Cluster).map(|found| found.range.clone()).collect()
}
