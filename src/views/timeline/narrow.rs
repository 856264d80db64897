//! Which objects and lines concern a run, a placement, a cluster or a namespace.

use std::collections::BTreeSet;

use super::Moment;
use crate::grammar::message::HoleRole;
use crate::graph::{Graph, HasMeta as _};
use crate::model::key::ObjectKey;
use crate::model::log::{Log, LogEvent, LogRef};
use crate::model::run::Run;
use crate::views::Focus;

/// The focus, with the objects that belong to it.
pub(super) struct Narrowing<'f> {
    focus: &'f Focus,
    /// The run with its requests and the bindings that it writes.
    run: Option<BTreeSet<ObjectKey>>,
    /// The placement with everything made for it.
    placement: Option<BTreeSet<ObjectKey>>,
    /// The bindings of the cluster.
    bound: BTreeSet<ObjectKey>,
}

impl<'f> Narrowing<'f> {
    pub(super) fn new(graph: &Graph, focus: &'f Focus) -> Self {
        let run = focus.run.as_deref().map(|name| {
            let runs = graph.runs.iter().filter(|run| run.meta.name() == name);
            let known =
                runs.flat_map(|run| with_requests(graph, run).chain(bindings_of(graph, run)));
            let logged =
                named_with(graph, (HoleRole::Run, name), &[HoleRole::Run, HoleRole::Binding]);
            known.chain(logged).collect()
        });
        let placement = focus.placement.as_deref().map(|name| family_of(graph, name));
        let bound = graph.bindings.iter();
        let bound = bound.filter(|binding| focus.cluster.as_deref() == Some(binding.cluster()));
        let bound = bound.map(|binding| binding.key().clone());
        let cluster = focus.cluster.iter();
        let logged = cluster
            .flat_map(|name| named_with(graph, (HoleRole::Cluster, name), &[HoleRole::Binding]));
        let bound = bound.chain(logged).collect();
        Self { focus, run, placement, bound }
    }

    /// Says whether nothing about an object can be of interest.
    pub(super) fn leaves_out(&self, key: &ObjectKey) -> bool {
        let outside =
            |set: &Option<BTreeSet<ObjectKey>>| set.as_ref().is_some_and(|set| !set.contains(key));
        outside(&self.run) || outside(&self.placement) || !self.focus.is_in_namespace(key)
    }

    /// Says whether a moment of an object, or an event about one, is asked for.
    pub(super) fn keeps(&self, moment: &Moment) -> bool {
        let Some(key) = &moment.object else { return self.focus.is_empty() };
        let here = self.focus.cluster.as_ref().is_none_or(|name| {
            let spoken_of = moment.cluster.as_deref() == Some(name);
            spoken_of || self.focus.is_on_cluster(key) || self.bound.contains(key)
        });
        here && !self.leaves_out(key)
    }

    /// Says whether a log line is asked for: it names what is asked about.
    pub(super) fn keeps_line(&self, event: &LogEvent, logs: &[Log]) -> bool {
        let objects: Vec<ObjectKey> = event.objects().collect();
        let names = |set: &Option<BTreeSet<ObjectKey>>, wanted: &Option<String>, role, kind| {
            let told = wanted.as_deref().is_none_or(|name| {
                let is_it = |key: &ObjectKey| &*key.name == name && key.kind.ends_with(kind);
                event.named(role) == Some(name) || objects.iter().any(is_it)
            });
            told || set.as_ref().is_some_and(|set| objects.iter().any(|key| set.contains(key)))
        };
        let cluster = self.focus.cluster.as_deref().is_none_or(|name| {
            let wrote = logs.get(event.log).and_then(|log| log.cluster.as_deref());
            wrote == Some(name)
                || event.named(HoleRole::Cluster) == Some(name)
                || objects
                    .iter()
                    .any(|key| self.bound.contains(key) || self.focus.is_on_cluster(key))
        });
        let namespace = self
            .focus
            .namespace
            .as_deref()
            .is_none_or(|name| event.refs.iter().any(|found| &*found.namespace == name));
        names(&self.run, &self.focus.run, HoleRole::Run, "StagedUpdateRun")
            && names(
                &self.placement,
                &self.focus.placement,
                HoleRole::Placement,
                "ResourcePlacement",
            )
            && cluster
            && namespace
    }
}

fn with_requests<'g>(graph: &'g Graph, run: &'g Run) -> impl Iterator<Item = ObjectKey> + 'g {
    let requests = graph.requests_of(run).into_iter().map(|request| request.key().clone());
    std::iter::once(run.key().clone()).chain(requests)
}

fn bindings_of<'g>(graph: &'g Graph, run: &Run) -> impl Iterator<Item = ObjectKey> + use<'g> {
    let placement = run.placement.as_deref().unwrap_or_default();
    let bindings = graph.bindings_of(run.meta.namespace(), placement);
    bindings.into_iter().map(|binding| binding.key().clone())
}

/// Returns the placements of a name with their snapshots, bindings, Works, runs and requests.
fn family_of(graph: &Graph, name: &str) -> BTreeSet<ObjectKey> {
    let mut keys = BTreeSet::new();
    let placements = graph.placements.iter().filter(|known| known.meta.name() == name);
    keys.extend(placements.map(|placement| placement.key().clone()));
    let runs = graph.runs.iter().filter(|run| run.placement.as_deref() == Some(name));
    keys.extend(runs.flat_map(|run| with_requests(graph, run)));
    let bindings = graph.bindings.iter();
    let bindings = bindings.filter(|binding| binding.placement() == Some(name));
    keys.extend(bindings.map(|binding| binding.key().clone()));
    let snapshots = graph.resource_snapshots.iter();
    let snapshots = snapshots.filter(|snapshot| snapshot.placement() == Some(name));
    keys.extend(snapshots.map(|snapshot| snapshot.key().clone()));
    let policies = graph.policy_snapshots.iter();
    let policies = policies.filter(|policy| policy.placement() == Some(name));
    keys.extend(policies.map(|policy| policy.key().clone()));
    let works = graph.works.iter();
    let works = works.filter(|work| work.placement().is_some_and(|key| &*key.name == name));
    keys.extend(works.map(|work| work.key().clone()));
    let made = [
        HoleRole::Placement,
        HoleRole::Run,
        HoleRole::Binding,
        HoleRole::Snapshot,
        HoleRole::PolicySnapshot,
    ];
    keys.extend(named_with(graph, (HoleRole::Placement, name), &made));
    keys
}

/// Returns what log lines name together with something: without the objects themselves, that is how they are joined.
fn named_with<'g>(
    graph: &'g Graph,
    (role, name): (HoleRole, &'g str),
    roles: &'g [HoleRole],
) -> impl Iterator<Item = ObjectKey> + 'g {
    let lines = graph.log_events.iter().filter(move |event| event.named(role) == Some(name));
    let refs = lines.flat_map(|event| &event.refs);
    refs.filter(|found| roles.contains(&found.role)).filter_map(LogRef::object)
}
