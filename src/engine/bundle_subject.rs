//! [`BundleSubject`]: which rollout a bundle is about, judged by what was sent of it.
//!
//! A support engineer asks for the details of one rollout; the rest of a busy hub comes along in lists. The
//! placement of which most was sent (bindings, Works, snapshots, requests; whole objects before rows, an object
//! sent alone before an item of a list) is the ticket, and so is what the sender names in words or commands. Where
//! all were sent alike and nobody names one, there is no rest.

use std::collections::{BTreeMap, BTreeSet};

use smol_str::SmolStr;

use super::ResolvedFinding;
use super::names_in_prose::find_named;
use crate::bundle::Bundle;
use crate::finding::Topic;
use crate::grammar::kind::{Kind, find_kind};
use crate::graph::{Graph, HasMeta};
use crate::model::key::ObjectKey;
use crate::model::meta::Meta;
use crate::model::placement::Placement;
use crate::model::run::Run;
use crate::syntax::Syntax;

/// A rollout: the namespace and the name of its placement, or of a run that does not tell its placement.
type Matter = (SmolStr, SmolStr);

/// What the bundle is about.
#[derive(Debug, Default)]
pub(super) struct BundleSubject {
    matters: BTreeSet<Matter>,
    members: BTreeSet<SmolStr>,
}

/// How much a part of an object tells of what was asked for.
const DETAIL: u8 = 4;

impl BundleSubject {
    /// Finds what a bundle is about; nothing in particular where everything was sent alike.
    pub(super) fn of(graph: &Graph, bundle: &Bundle) -> Self {
        let weights = weigh(graph);
        if weights.len() < 2 {
            return Self::default();
        }
        let most = weights.values().copied().max().unwrap_or_default();
        let mut matters = named_matters(graph, bundle);
        matters.retain(|matter| weights.contains_key(matter));
        // What was sent in most detail was asked for, even if the sender speaks of something else.
        if !matters.iter().any(|matter| weights.get(matter) == Some(&most)) {
            let detailed = weights.iter().filter(|(_, weight)| **weight == most);
            matters.extend(detailed.map(|(matter, _)| matter.clone()));
        }
        if matters.len() == weights.len() {
            return Self::default();
        }
        let members = matters.iter().flat_map(|matter| clusters_of(graph, matter)).collect();
        Self { matters, members }
    }

    /// Says whether a finding concerns the rest of the hub alone.
    pub(super) fn leaves_out(&self, resolved: &ResolvedFinding, graph: &Graph) -> bool {
        if self.matters.is_empty() {
            return false;
        }
        let mut found = Found::default();
        let finding = &resolved.finding;
        for topic in finding.about.iter().chain(&finding.explains) {
            found.add_topic(graph, topic);
        }
        // What stops the hub agent stops everybody; that one run looks as if it were stopped does not.
        let everything = finding.explains.contains(&Topic::HubAgent);
        if let Some(key) = &resolved.primary.object {
            found.add_object(graph, key);
        }
        let ours = found.matters.iter().any(|matter| self.matters.contains(matter))
            || found.members.iter().any(|member| self.members.contains(member));
        let elsewhere = !(found.matters.is_empty() && found.members.is_empty());
        elsewhere && !ours && !everything
    }

    /// Says whether the placement of an object was sent, if only as a row: one that was deleted has no details to send.
    pub(super) fn has_placement(graph: &Graph, key: &ObjectKey) -> bool {
        let mut found = Found::default();
        found.add_object(graph, key);
        let sent =
            |(namespace, name): &Matter| graph.placements.find_named(namespace, name).is_some();
        found.matters.iter().any(sent)
    }

    /// Says whether a run belongs to the rest of the hub.
    pub(super) fn leaves_out_run(&self, graph: &Graph, run: &ObjectKey) -> bool {
        let mut found = Found::default();
        found.add_object(graph, run);
        !self.matters.is_empty() && found.matters.is_disjoint(&self.matters)
    }
}

/// What a finding speaks of.
#[derive(Default)]
struct Found {
    matters: BTreeSet<Matter>,
    members: BTreeSet<SmolStr>,
}

impl Found {
    fn add(&mut self, namespace: &str, placement: &str) {
        self.matters.insert((namespace.into(), placement.into()));
    }

    fn add_topic(&mut self, graph: &Graph, topic: &Topic) {
        match topic {
            Topic::Member(name) => {
                self.members.insert(name.clone());
            }
            _ => topic.object().into_iter().for_each(|key| self.add_object(graph, key)),
        }
    }

    fn add_object(&mut self, graph: &Graph, key: &ObjectKey) {
        let namespace = &*key.namespace;
        let spec = find_kind(&key.kind);
        match spec.map(|spec| spec.family) {
            Some(Kind::Placement | Kind::PlacementStatus) => self.add(namespace, &key.name),
            Some(Kind::Run) => {
                let run = graph.runs.find(key);
                let (namespace, name) = run.map_or((namespace, &*key.name), matter_of_run);
                self.add(namespace, name);
            }
            Some(Kind::Binding) => {
                let binding = graph.bindings.find(key);
                let placement = binding.and_then(|binding| binding.placement());
                placement.into_iter().for_each(|placement| self.add(namespace, placement));
            }
            Some(Kind::Work) => {
                let work = graph.works.find(key).and_then(|work| work.placement());
                work.iter().for_each(|placement| self.add(&placement.namespace, &placement.name));
            }
            Some(Kind::ResourceSnapshot) => {
                let snapshot = graph.resource_snapshots.find(key);
                let placement = snapshot.and_then(|snapshot| snapshot.placement());
                placement.into_iter().for_each(|placement| self.add(namespace, placement));
            }
            Some(Kind::PolicySnapshot) => {
                let snapshot = graph.policy_snapshots.find(key);
                let placement = snapshot.and_then(|snapshot| snapshot.placement());
                placement.into_iter().for_each(|placement| self.add(namespace, placement));
            }
            Some(Kind::ApprovalRequest) => {
                let run = graph.approvals.find(key).and_then(|request| graph.find_run_of(request));
                run.map(matter_of_run)
                    .into_iter()
                    .for_each(|(namespace, name)| self.add(namespace, name));
            }
            Some(Kind::Eviction) => {
                let eviction = graph.evictions.find(key);
                eviction.into_iter().for_each(|it| self.add("", it.placement()));
            }
            Some(Kind::Strategy) => {
                let named = |run: &&Run| {
                    run.meta.namespace() == namespace && run.strategy.as_deref() == Some(&key.name)
                };
                for run in graph.runs.iter().filter(named) {
                    let (namespace, name) = matter_of_run(run);
                    self.add(namespace, name);
                }
            }
            Some(Kind::MemberCluster | Kind::InternalMemberCluster) => {
                self.members.insert(key.name.clone());
            }
            _ => {}
        }
    }
}

fn matter_of_run(run: &Run) -> (&str, &str) {
    (run.meta.namespace(), run.placement.as_deref().unwrap_or(run.meta.name()))
}

/// Returns the rollouts that the sender names, by their placement or by a run.
fn named_matters(graph: &Graph, bundle: &Bundle) -> BTreeSet<Matter> {
    let runs = || graph.runs.iter();
    let placements = || graph.placements.iter();
    let names = runs().map(|run| run.meta.name());
    let names = names.chain(placements().map(|placement| placement.meta.name()));
    let named = find_named(bundle, &names.filter(|name| !name.is_empty()).collect());
    let of_run = runs().filter(|run| named.contains(run.meta.name())).map(matter_of_run);
    let of_placement = placements().filter(|placement| named.contains(placement.meta.name()));
    let of_placement =
        of_placement.map(|placement| (placement.meta.namespace(), placement.meta.name()));
    of_run.chain(of_placement).map(|(space, name)| (space.into(), name.into())).collect()
}

/// Returns how much was sent of each rollout.
fn weigh(graph: &Graph) -> BTreeMap<Matter, u8> {
    let mut weights: BTreeMap<Matter, u8> = BTreeMap::new();
    let mut raise = |namespace: &str, name: &str, weight: u8| {
        if !name.is_empty() {
            let known = weights.entry((namespace.into(), name.into())).or_default();
            *known = (*known).max(weight);
        }
    };
    for placement in &graph.placements {
        raise(placement.meta.namespace(), &placement.meta.key.name, form(&placement.meta));
    }
    for run in &graph.runs {
        let (namespace, name) = matter_of_run(run);
        raise(namespace, name, form(&run.meta));
    }
    let mut detailed = Found::default();
    let mut add = |meta: &Meta| {
        if meta.syntax != Syntax::Table {
            detailed.add_object(graph, &meta.key);
        }
    };
    graph.bindings.iter().for_each(|it| add(it.meta()));
    graph.works.iter().for_each(|it| add(it.meta()));
    graph.resource_snapshots.iter().for_each(|it| add(it.meta()));
    graph.policy_snapshots.iter().for_each(|it| add(it.meta()));
    graph.approvals.iter().for_each(|it| add(it.meta()));
    // A placement without clusters has no bindings that could have been sent; where those of all others were, nothing
    // is missing of it.
    let placements = || graph.placements.iter();
    let matter =
        |placement: &Placement| (placement.meta.namespace().into(), placement.meta.name().into());
    let snapshots = !graph.policy_snapshots.as_slice().is_empty()
        || !graph.resource_snapshots.as_slice().is_empty();
    let is_bare = |placement: &&Placement| placement.clusters.is_empty();
    let whole = placements()
        .filter(|placement| !is_bare(placement))
        .all(|placement| detailed.matters.contains(&matter(placement)));
    if !snapshots && (whole || detailed.matters.is_empty()) {
        let bare = placements().filter(is_bare);
        let bare = bare.filter(|placement| placement.meta.syntax != Syntax::Table);
        detailed.matters.extend(bare.map(matter));
    }
    for matter in detailed.matters {
        // Of a placement that was not sent itself, its Works may have been.
        *weights.entry(matter).or_insert(1) += DETAIL;
    }
    weights
}

/// Tells a row from an object that was sent whole.
fn form(meta: &Meta) -> u8 {
    match (meta.syntax, meta.partial) {
        (Syntax::Table, _) => 1,
        _ => 2,
    }
}

/// Returns the member clusters that a rollout touches.
fn clusters_of(graph: &Graph, (namespace, name): &Matter) -> BTreeSet<SmolStr> {
    let bound = graph.bindings_of(namespace, name).into_iter().map(|binding| binding.cluster());
    let placement = graph.placements.find_named(namespace, name);
    let placed = placement.into_iter().flat_map(|placement| &placement.clusters);
    let runs = graph.runs_of(namespace, name).into_iter();
    let staged = runs.flat_map(|run| run.stages.iter().flat_map(|stage| &stage.clusters));
    let names = bound.chain(placed.map(|cluster| cluster.name()));
    let names = names.chain(staged.map(|cluster| &*cluster.name.value));
    names.filter(|name| !name.is_empty()).map(SmolStr::from).collect()
}
