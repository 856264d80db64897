//! Building the graph: documents to objects, objects to sightings, sightings to sets of objects by kind.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;
use rayon::prelude::*;
use smol_str::SmolStr;

use super::Graph;
use super::capture_bounds;
use super::clock::Clock;
use super::cluster_names::ClusterNames;
use super::completeness::LostText;
use super::fragments::join_fragments;
use super::inferred_placements::{from_copies, from_policies};
use super::joins::Joins;
use super::live_references::find_holes;
use super::logs::{attach_mentions, read_logs};
use super::lost_line::has_lost_a_line;
use super::object_set::ObjectSet;
use super::recreated::best_of_lives;
use super::sighting::adopt_namespaces;
use super::sightings_by_key::SightingsByKey;
use crate::bundle::Bundle;
use crate::grammar::kind::{CLUSTER_GROUP, Kind, KindSpec, PLACEMENT_GROUP, find_kind};
use crate::model::applied_work::AppliedWork;
use crate::model::approval::ApprovalRequest;
use crate::model::binding::Binding;
use crate::model::cluster::{InternalMember, MemberCluster};
use crate::model::event::Event;
use crate::model::eviction::{Budget, Eviction};
use crate::model::key::{HUB, ObjectKey};
use crate::model::meta::Meta;
use crate::model::overrides::Override;
use crate::model::placement::Placement;
use crate::model::pod::Pod;
use crate::model::quota::Quota;
use crate::model::run::Run;
use crate::model::service::Service;
use crate::model::snapshot::{PolicySnapshot, ResourceSnapshot};
use crate::model::strategy::Strategy;
use crate::model::work::Work;
use crate::model::workload::Workload;
use crate::source::SourceFile;
use crate::syntax::Document;

/// Builds the graph of a bundle; `now` is the moment of capture, if the user gave it.
pub fn build(bundle: &Bundle, now: Option<Timestamp>) -> Graph {
    let clusters = ClusterNames::of(bundle);
    let clusters = &clusters;
    let mut seen: Vec<(Arc<Meta>, bool)> = bundle
        .sources
        .as_slice()
        .par_iter()
        .zip(&bundle.parsed)
        .flat_map_iter(|(source, parsed)| {
            let lost = LostText::of(&parsed.documents);
            let place = FilePlace { source, clusters, told_by_path: OnceCell::new() };
            parsed.documents.iter().filter_map(move |document| {
                Some((read_object(&place, document)?, lost.proves_absence(document)))
            })
        })
        .collect();
    let mut graph = Graph::default();
    for (meta, listed) in &seen {
        graph.note_listing(&meta.key, *listed);
    }
    adopt_namespaces(&mut seen);
    join_fragments(&mut seen, bundle);
    graph.places = seen.iter().map(|(meta, _)| (meta.span, Arc::clone(meta))).collect();
    graph.places.sort_by_key(|(span, _)| *span);
    graph.sightings = SightingsByKey::new(seen.into_iter().map(|(meta, _)| meta));
    graph.whole = graph.find_whole();
    let best: Vec<Arc<Meta>> = graph.sightings.values().flat_map(best_of_lives).collect();
    graph.events = collect_events(&best);
    fill_families(&mut graph, best);
    graph.joins = Joins::of(&graph);
    graph.holes = find_holes(&graph);
    let mut clock = Clock::default();
    capture_bounds::offer_stamps(&graph, &mut clock);
    // A log without a year is placed by the newest stamp, or by the moment that the user gave.
    (graph.logs, graph.log_events) = read_logs(bundle, now.or(clock.now));
    attach_mentions(&mut graph, bundle);
    capture_bounds::offer_lines(&graph, &mut clock);
    capture_bounds::close(&graph, &bundle.sources, &mut clock, now);
    graph.clock = clock;
    graph
}

/// A file, and which cluster it is of.
struct FilePlace<'b> {
    source: &'b SourceFile,
    clusters: &'b ClusterNames,
    /// What its path tells, once a document asks.
    told_by_path: OnceCell<SmolStr>,
}

impl FilePlace<'_> {
    /// Returns the cluster that a document of the file is of.
    fn cluster(&self, document: &Document) -> SmolStr {
        let told = document.context.cluster.as_ref().or(self.source.origin().cluster.as_ref());
        let by_path = || self.clusters.find_by_path(self.source.path()).unwrap_or_default().into();
        match told {
            Some(told) => self.clusters.resolve(told),
            None => self.told_by_path.get_or_init(by_path).clone(),
        }
    }
}

fn read_object(file: &FilePlace<'_>, document: &Document) -> Option<Arc<Meta>> {
    let root = document.root.as_ref()?;
    let kind = document.head.kind.as_deref()?;
    let spec = document.head.find_kind();
    if spec.is_none() && find_kind(kind).is_some() {
        return None;
    }
    let on_hub = spec.is_some_and(lives_on_hub);
    let key = ObjectKey {
        cluster: if on_hub { HUB.into() } else { file.cluster(document) },
        kind: kind.into(),
        namespace: document.head.namespace.clone().unwrap_or_default(),
        name: document.head.name.clone().unwrap_or_default(),
    };
    let shape = spec.filter(|spec| spec.is_fleet()).map(KindSpec::schema);
    let torn = shape.is_some_and(|shape| has_lost_a_line(root, document.syntax, shape));
    let partial = document.partial || torn;
    let meta = Meta::read(key, document.span, document.syntax, partial, Arc::clone(root));
    Some(Arc::new(meta))
}

/// Says whether a kind exists on the hub only, whatever folder the file lies in.
fn lives_on_hub(spec: &KindSpec) -> bool {
    [PLACEMENT_GROUP, CLUSTER_GROUP].contains(&spec.group) && spec.family != Kind::AppliedWork
}

fn fill_families(graph: &mut Graph, objects: Vec<Arc<Meta>>) {
    let mut by_kind: BTreeMap<Option<Kind>, Vec<Arc<Meta>>> = BTreeMap::new();
    for meta in objects {
        let family = find_kind(&meta.key.kind).map(|spec| spec.family);
        by_kind.entry(family).or_default().push(meta);
    }
    let mut take = |kind: Kind| by_kind.remove(&Some(kind)).unwrap_or_default().into_iter();
    graph.runs = ObjectSet::new(take(Kind::Run).map(Run::read).collect());
    graph.strategies = ObjectSet::new(take(Kind::Strategy).map(Strategy::read).collect());
    graph.approvals =
        ObjectSet::new(take(Kind::ApprovalRequest).map(ApprovalRequest::read).collect());
    let mut placements: Vec<Placement> = take(Kind::Placement).map(Placement::read).collect();
    let copies: Vec<Arc<Meta>> = take(Kind::PlacementStatus).collect();
    placements.extend(from_copies(&copies, &placements));
    graph.placements = ObjectSet::new(placements);
    graph.bindings = ObjectSet::new(take(Kind::Binding).map(Binding::read).collect());
    graph.resource_snapshots =
        ObjectSet::new(take(Kind::ResourceSnapshot).map(ResourceSnapshot::read).collect());
    graph.policy_snapshots =
        ObjectSet::new(take(Kind::PolicySnapshot).map(PolicySnapshot::read).collect());
    graph.implied = from_policies(graph.policy_snapshots.as_slice(), graph.placements.as_slice());
    graph.overrides = ObjectSet::new(take(Kind::Override).map(Override::read).collect());
    graph.override_snapshots =
        ObjectSet::new(take(Kind::OverrideSnapshot).map(Override::read).collect());
    graph.evictions = ObjectSet::new(take(Kind::Eviction).map(Eviction::read).collect());
    graph.budgets = ObjectSet::new(take(Kind::DisruptionBudget).map(Budget::read).collect());
    graph.members = ObjectSet::new(take(Kind::MemberCluster).map(MemberCluster::read).collect());
    graph.internal_members =
        ObjectSet::new(take(Kind::InternalMemberCluster).map(InternalMember::read).collect());
    graph.works = ObjectSet::new(take(Kind::Work).map(Work::read).collect());
    graph.applied_works = ObjectSet::new(take(Kind::AppliedWork).map(AppliedWork::read).collect());
    graph.workloads =
        ObjectSet::new(WORKLOADS.into_iter().flat_map(&mut take).map(Workload::read).collect());
    graph.pods = ObjectSet::new(take(Kind::Pod).map(Pod::read).collect());
    graph.services = ObjectSet::new(take(Kind::Service).map(Service::read).collect());
    graph.quotas = ObjectSet::new(take(Kind::ResourceQuota).map(Quota::read).collect());
    let others = by_kind.into_values().flatten().chain(copies);
    graph.others = ObjectSet::new(others.collect());
}

const WORKLOADS: [Kind; 5] =
    [Kind::Deployment, Kind::ReplicaSet, Kind::StatefulSet, Kind::DaemonSet, Kind::Job];

/// Collects event objects and the event tables of describe texts, by the object that they speak of.
fn collect_events(objects: &[Arc<Meta>]) -> Vec<Event> {
    let mut events: Vec<Event> = objects
        .iter()
        .flat_map(|meta| Event::read(meta).into_iter().chain(Event::read_listed(meta)))
        .collect();
    events.sort_by(|left, right| (&left.about, left.span).cmp(&(&right.about, right.span)));
    events
}
