//! Who wrote which binding, when, with which snapshot: the history of a placement's clusters.
//!
//! A binding names only its last writer. The stamps by which each run says that it started a cluster, and the lines
//! of the hub agent, tell the others. Every rule about runs that take clusters from each other starts here.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use smol_str::SmolStr;

use crate::grammar::kind::Kind;
use crate::grammar::message::{HoleRole, MessageContext, line};
use crate::graph::Graph;
use crate::model::binding::Binding;
use crate::model::key::ObjectKey;
use crate::model::log::LogEvent;
use crate::model::meta::Meta;
use crate::model::run::Run;
use crate::source::Span;

use super::messages::Messages;

/// Runs tell when they started a cluster, bindings who wrote them last.
pub const READS: &[Kind] = &[Kind::Run, Kind::Binding];

/// Stamps count whole seconds, the log's lines are finer.
const STAMP: SignedDuration = SignedDuration::from_secs(1);

/// A run that wrote the binding of a cluster.
#[derive(Clone, Debug)]
pub struct BindingWrite<'g> {
    /// The run's name.
    pub run: &'g str,
    /// The index of the resource snapshot that the run rolls out, if the bundle tells.
    pub snapshot: Option<&'g str>,
    /// The time of the write.
    pub at: Timestamp,
    /// The text that shows the write.
    pub span: Span,
}

/// The cluster that a run lost, or will be found to have lost, and to whom.
#[derive(Clone, Debug)]
pub struct Takeover<'g> {
    /// The cluster.
    pub cluster: SmolStr,
    /// The run that took it.
    pub taker: SmolStr,
    /// The write, where the history shows it.
    pub write: Option<BindingWrite<'g>>,
}

/// A cluster of a placement: namespace, placement, cluster.
type Slot = (SmolStr, SmolStr, SmolStr);

fn slot(namespace: &str, placement: &str, cluster: &str) -> Slot {
    (namespace.into(), placement.into(), cluster.into())
}

/// All writes that a bundle shows, and what they did to the runs.
#[derive(Debug)]
pub struct History<'g> {
    graph: &'g Graph,
    /// By cluster of a placement, in the order of time.
    writes: BTreeMap<Slot, Vec<BindingWrite<'g>>>,
    /// What living runs have lost and do not know yet, by run.
    takeovers: BTreeMap<&'g ObjectKey, Takeover<'g>>,
}

/// Collects the writes of a bundle.
pub(super) fn find_history<'g>(graph: &'g Graph, messages: &Messages<'g>) -> History<'g> {
    let (writes, takeovers) = (BTreeMap::new(), BTreeMap::new());
    let mut history = History { graph, writes, takeovers };
    for run in &graph.runs {
        history.add_stamps(run);
    }
    for event in graph.log_events.iter().filter(|event| event.is(line::BOUND)) {
        history.add_line(event);
    }
    for writes in history.writes.values_mut() {
        writes.sort_by_key(|write| (write.at, write.run, write.span));
    }
    for run in &graph.runs {
        if let Some(takeover) = history.takeover_of(messages, run) {
            history.takeovers.insert(&run.meta.key, takeover);
        }
    }
    history
}

impl<'g> History<'g> {
    fn add_stamps(&mut self, run: &'g Run) {
        let Some(placement) = run.placement.as_deref() else { return };
        for cluster in run.stages.iter().flat_map(|stage| &stage.clusters) {
            let Some(at) = cluster.started().and_then(|started| started.since) else { continue };
            let slot = slot(run.meta.namespace(), placement, &cluster.name);
            let (run, snapshot) = (run.meta.name(), run.wanted_index());
            let write = BindingWrite { run, snapshot, at: at.value, span: at.span };
            self.writes.entry(slot).or_default().push(write);
        }
    }

    /// Adds a line of the hub agent, unless the run's own stamp tells the same.
    fn add_line(&mut self, event: &'g LogEvent) {
        let graph = self.graph;
        let (Some(run), Some(at)) = (event.find(HoleRole::Run), event.time) else { return };
        let shown = graph.runs.find_named(&run.namespace, &run.name);
        let binding = event.find(HoleRole::Binding).and_then(|binding| {
            let path = format!("{}/{}", binding.namespace, binding.name);
            graph.find_binding_named(path.trim_start_matches('/'))
        });
        let placement = shown.and_then(|run| run.placement.as_deref());
        let Some(placement) = placement.or_else(|| binding?.placement()) else { return };
        let cluster = event.named(HoleRole::Cluster).or_else(|| Some(binding?.cluster()));
        let Some(cluster) = cluster.filter(|cluster| !cluster.is_empty()) else { return };
        let writes = self.writes.entry(slot(&run.namespace, placement, cluster)).or_default();
        if writes.iter().any(|known| known.run == &*run.name) {
            return;
        }
        let snapshot = shown.and_then(Run::wanted_index);
        writes.push(BindingWrite { run: &run.name, snapshot, at, span: run.span });
    }

    /// Returns the writes on a cluster of a run's placement, in the order of time.
    pub fn writes_on(&self, run: &Run, cluster: &str) -> &[BindingWrite<'g>] {
        let placement = run.placement.as_deref().unwrap_or_default();
        let found = self.writes.get(&slot(run.meta.namespace(), placement, cluster));
        found.map(Vec::as_slice).unwrap_or_default()
    }

    /// Finds the run that took a cluster from another one: the first that wrote something else after it.
    ///
    /// In a chain of runs that is neither the binding's last writer nor the last one before the loss was noticed.
    pub fn find_taker(
        &self,
        run: &Run,
        cluster: &str,
        noticed: Option<Timestamp>,
    ) -> Option<&BindingWrite<'g>> {
        let writes = self.writes_on(run, cluster);
        let own = writes.iter().find(|write| write.run == run.meta.name())?;
        let wanted = run.wanted_index();
        let in_time = |write: &&BindingWrite<'_>| {
            let noticed = noticed.and_then(|noticed| noticed.checked_add(STAMP).ok());
            write.at >= own.at && noticed.is_none_or(|noticed| write.at <= noticed)
        };
        let differs =
            |write: &&BindingWrite<'_>| write.snapshot.is_none() || write.snapshot != wanted;
        let others = || writes.iter().filter(|write| write.run != run.meta.name()).filter(in_time);
        others().find(differs).or_else(|| others().next().filter(|_| noticed.is_some()))
    }

    /// Finds the cluster that a living run is still updating and that another run has written since.
    ///
    /// The run does not know it yet, whatever it says: at its next check it fails.
    pub fn find_takeover(&self, run: &Run) -> Option<&Takeover<'g>> {
        self.takeovers.get(&run.meta.key)
    }

    fn takeover_of(&self, messages: &Messages<'g>, run: &'g Run) -> Option<Takeover<'g>> {
        // A run that is stopping does not compare its bindings.
        if run.is_terminal() || run.state() != "Run" || run.meta.deleting.is_some() {
            return None;
        }
        let clusters = run.stages.iter().flat_map(|stage| &stage.clusters);
        clusters.filter(|cluster| cluster.is_in_flight()).find_map(|cluster| {
            let name = &*cluster.name;
            let binding = self.graph.find_binding(run, name);
            // The binding's present snapshot is the proof; without it the stamps of two versions are.
            if binding.is_some_and(|binding| is_as_wanted(run, binding)) {
                return None;
            }
            let write = self.find_taker(run, name, None).cloned();
            let writer = binding.and_then(|binding| find_writer(messages, binding));
            let foreign = writer.filter(|writer| **writer != *run.meta.name());
            let taker = write.as_ref().map(|write| write.run.into()).or(foreign)?;
            Some(Takeover { cluster: name.into(), taker, write })
        })
    }

    /// Finds the run that has made good what a failed run was to do.
    ///
    /// It succeeded later, on the clusters of the failed run, with the version that was wanted or a newer one. A
    /// rollback to an older one does not count.
    pub fn find_successor(&self, run: &Run) -> Option<&'g Run> {
        let others = self.graph.runs_of(run.meta.namespace(), run.placement.as_deref()?);
        let done = others.into_iter().filter(|other| other.has_succeeded());
        let later = done.filter(|other| is_younger(&other.meta, &run.meta));
        let fit = later.filter(|other| is_at_least(other, run) && covers(other, run));
        fit.min_by_key(|other| (other.meta.created.map(|created| created.value), &other.meta.key))
    }

    /// Says whether a later run of the same placement may have made a failed run good: the end of its text is lost.
    pub fn may_have_successor(&self, run: &Run) -> bool {
        let Some(placement) = run.placement.as_deref() else { return false };
        let mut others = self.graph.runs_of(run.meta.namespace(), placement).into_iter();
        others.any(|other| {
            other.meta.partial
                && other.condition("Succeeded").is_none()
                && is_younger(&other.meta, &run.meta)
        })
    }
}

/// Says whether a binding still carries the snapshot of a run, or does not tell.
fn is_as_wanted(run: &Run, binding: &Binding) -> bool {
    let (Some(got), Some(wanted)) = (binding.snapshot.as_deref(), run.snapshot_name()) else {
        return false;
    };
    got == wanted
}

/// Returns the run that wrote a binding last, by the words of its RolloutStarted condition.
pub fn find_writer<'g>(messages: &Messages<'g>, binding: &'g Binding) -> Option<SmolStr> {
    let started = binding.condition("RolloutStarted")?;
    let message = started.message();
    let hint = MessageContext { kind: None, ..started.hint("") };
    let recognised = messages.recognise(message, hint);
    let found = recognised.refs(HoleRole::Run).next()?;
    message.get(found.range.clone()).map(SmolStr::from)
}

/// Says whether an object was created after another, by their stamps, or by their ages in a table.
fn is_younger(later: &Meta, earlier: &Meta) -> bool {
    match (later.created, earlier.created) {
        (Some(later), Some(earlier)) => later.value > earlier.value,
        _ => later
            .row_age()
            .zip(earlier.row_age())
            .is_some_and(|(later, earlier)| later.value < earlier.value),
    }
}

/// Says whether a run rolled out the version that another wanted, or a newer one.
fn is_at_least(later: &Run, failed: &Run) -> bool {
    let number = |run: &Run| run.wanted_index().and_then(|index| index.parse::<u64>().ok());
    match (number(later), number(failed)) {
        (Some(done), Some(wanted)) => done >= wanted,
        // A run that failed before it had a snapshot wanted what stood on the hub, as one without an index does.
        (_, None) => later.index.as_deref().is_none_or(str::is_empty) || failed.index.is_some(),
        (None, Some(_)) => false,
    }
}

/// Says whether a run has done all clusters that another one was to do, as far as both tell.
fn covers(later: &Run, failed: &Run) -> bool {
    if later.stages.is_empty() {
        return true;
    }
    let mut wanted = failed.stages.iter().flat_map(|stage| &stage.clusters);
    wanted.all(|cluster| later.find_cluster(&cluster.name).is_some())
}
