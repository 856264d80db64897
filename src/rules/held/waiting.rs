//! Clusters that a run waits for: named in its words, or in flight by its status.

use jiff::Timestamp;

use crate::grammar::message::{Hint, Role};
use crate::model::condition::Condition;
use crate::model::run::Run;
use crate::rule::Cx;
use crate::source::{Span, Spanned};

/// A cluster that a run has started, or says that it waits for.
pub struct Waiting<'g> {
    /// The run.
    pub run: &'g Run,
    /// The cluster.
    pub cluster: Box<str>,
    /// The stage.
    pub stage: Option<&'g str>,
    /// Since when the cluster is in flight.
    pub since: Option<Spanned<Timestamp>>,
    /// Where the run speaks of the cluster.
    pub span: Span,
}

impl Waiting<'_> {
    /// Says whether the run itself reports that it is stuck.
    pub fn is_reported_stuck(&self) -> bool {
        self.run.progress_reason() == "UpdateRunStuck"
    }
}

/// Returns the clusters that runs wait for; a run that has ended waits for none.
pub fn waiting_clusters<'g>(cx: &Cx<'g>) -> Vec<Waiting<'g>> {
    let open = cx.runs().iter().filter(|run| !run.is_terminal());
    open.flat_map(|run| waiting_of(cx, run)).collect()
}

fn waiting_of<'g>(cx: &Cx<'g>, run: &'g Run) -> Vec<Waiting<'g>> {
    let mut waiting: Vec<Waiting<'g>> = Vec::new();
    let stuck =
        run.condition("Progressing").filter(|condition| condition.reason() == "UpdateRunStuck");
    if let Some(message) = stuck.and_then(|condition| condition.message.as_ref()) {
        for range in stuck_names(cx, message) {
            let name: Box<str> = message.get(range.clone()).unwrap_or_default().into();
            let found = run.find_cluster(&name);
            waiting.push(Waiting {
                run,
                stage: found.map(|(stage, _)| stage.name()),
                since: found
                    .and_then(|(_, cluster)| cluster.started())
                    .and_then(|started| started.since),
                span: cx.within(message, range),
                cluster: name,
            });
        }
    }
    // The message names three clusters at most, and only counts them in some documents.
    for stage in run.stages.iter() {
        for cluster in stage.clusters.iter().filter(|cluster| cluster.is_in_flight()) {
            if waiting.iter().any(|known| known.cluster == cluster.name.value) {
                continue;
            }
            waiting.push(Waiting {
                run,
                cluster: cluster.name.value.clone(),
                stage: Some(stage.name()),
                since: cluster.started().and_then(|started| started.since),
                span: cluster.name.span,
            });
        }
    }
    waiting
}

/// Finds what proves that a cluster is done by now: its binding, else what the placement copied from it.
pub fn find_done<'g>(cx: &Cx<'g>, waiting: &Waiting<'_>) -> Option<&'g Condition> {
    const DONE: [&str; 2] = ["Available", "DiffReported"];
    if let Some(binding) = cx.find_binding(waiting.run, &waiting.cluster) {
        return DONE
            .iter()
            .find_map(|kind| binding.current(kind).filter(|condition| condition.is_true()));
    }
    let entry = cx.find_placement(waiting.run)?.find_cluster(&waiting.cluster)?;
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
fn stuck_names<'g>(cx: &Cx<'g>, message: &'g str) -> Vec<std::ops::Range<usize>> {
    let hint =
        Hint { condition_type: Some("Progressing"), reason: Some("UpdateRunStuck"), kind: None };
    let recognised = cx.recognise(message, hint);
    recognised.refs(Role::Cluster).map(|found| found.range.clone()).collect()
}
