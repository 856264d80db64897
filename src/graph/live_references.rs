//! Live references: objects that must have existed at capture, because a live object refers to them.
//!
//! A list out of which an object was lost (by a filter, a page limit, a hand) looks like a whole one. What others
//! that live refer to tells: if that is not in the list, the list has a hole, and nothing that it lacks is gone.
//! Only references count that do not outlive what they name: the garbage collector and the scheduler take them back.

use std::collections::BTreeSet;

use smol_str::SmolStr;

use super::Graph;
use crate::grammar::kind::{CLUSTER_GROUP, Kind, PLACEMENT_GROUP, Scope, find_kind};
use crate::model::key::{HUB, ObjectKey};
use crate::model::meta::Meta;

/// The kind and the namespace of an object that is referred to and was not sent.
pub(super) type Holes = BTreeSet<(SmolStr, SmolStr)>;

/// A reference: kind, namespace and name.
type Reference = (SmolStr, SmolStr, SmolStr);

impl Graph {
    /// Says whether a list of a kind in a namespace lacks something that lives.
    pub(super) fn has_hole(&self, kind: &str, namespace: &str) -> bool {
        self.holes.contains(&(kind.into(), namespace.into()))
    }
}

/// Finds the kinds and namespaces of which something is referred to that was not sent.
pub(super) fn find_holes(graph: &Graph) -> Holes {
    let mut references = BTreeSet::new();
    members(graph, &mut references);
    parents(graph, &mut references);
    owners(graph, &mut references);
    references.retain(|(kind, namespace, name)| {
        let key = ObjectKey::on_hub(kind, namespace, name);
        !name.is_empty() && !graph.sightings.contains_key(&key)
    });
    references.into_iter().map(|(kind, namespace, _)| (kind, namespace)).collect()
}

fn lives(meta: &Meta) -> bool {
    meta.deleting.is_none() && !meta.is_manifest()
}

/// Collects the members on which something lives.
fn members(graph: &Graph, found: &mut BTreeSet<Reference>) {
    let mut add = |name: &str| {
        found.insert(("MemberCluster".into(), "".into(), name.into()));
    };
    for binding in graph.bindings.iter().filter(|binding| lives(&binding.meta)) {
        if matches!(binding.state.as_deref(), Some("Bound" | "Scheduled")) {
            add(binding.cluster());
        }
    }
    graph.works.iter().filter(|work| lives(&work.meta)).for_each(|work| add(work.cluster()));
    for agent in graph.internal_members.iter().filter(|agent| lives(&agent.meta)) {
        add(agent.meta.name());
    }
    // The scheduler takes a cluster that left out of the placement's status.
    for placement in graph.placements.iter().filter(|it| lives(&it.meta)) {
        placement.clusters.iter().for_each(|cluster| add(cluster.name()));
    }
    // Somebody looked into the cluster itself.
    let places = graph.sightings.keys().map(|key| &*key.cluster);
    places.filter(|cluster| !cluster.is_empty() && *cluster != HUB).for_each(add);
}

/// Collects the placements and bindings that others belong to by their labels.
fn parents(graph: &Graph, found: &mut BTreeSet<Reference>) {
    let mut add = |family: Kind, namespace: &str, name: &str| {
        let kind = family.in_namespace(namespace);
        found.insert((kind.into(), namespace.into(), name.into()));
    };
    for binding in graph.bindings.iter().filter(|binding| lives(&binding.meta)) {
        if let Some(placement) = binding.placement() {
            add(Kind::Placement, binding.meta.namespace(), placement);
        }
    }
    for work in graph.works.iter().filter(|work| lives(&work.meta)) {
        let Some(placement) = work.placement() else { continue };
        if let Some(binding) = work.binding() {
            add(Kind::Binding, &placement.namespace, binding);
        }
        add(Kind::Placement, &placement.namespace, &placement.name);
    }
}

/// Collects the owners of what lives on the hub.
fn owners(graph: &Graph, found: &mut BTreeSet<Reference>) {
    for sighting in graph.sightings.values().filter_map(|sightings| sightings.first()) {
        let meta = &sighting.meta;
        if *meta.key.cluster != *HUB || !lives(meta) {
            continue;
        }
        for owner in &meta.owners {
            let Some(spec) = find_kind(&owner.kind) else { continue };
            if [PLACEMENT_GROUP, CLUSTER_GROUP].contains(&spec.group) {
                let namespace = if spec.scope == Scope::Namespaced { meta.namespace() } else { "" };
                found.insert((spec.name.into(), namespace.into(), owner.name.value.clone()));
            }
        }
    }
}
