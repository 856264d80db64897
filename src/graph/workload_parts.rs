//! Joins on the member side: from a workload to its ReplicaSets, its pods and the events about them.
//!
//! Hub and member hold objects of the same names; here only those count that come from the member in
//! question or from a file that does not say where it comes from.

use std::collections::BTreeSet;

use super::{Graph, HasMeta, ObjectSet};
use crate::model::event::Event;
use crate::model::key::ObjectKey;
use crate::model::meta::Meta;
use crate::model::pod::Pod;
use crate::model::workload::Workload;
use crate::syntax::Syntax;

impl Graph {
    /// Returns the pods of a workload on its member, or from files that do not say where they come from.
    pub fn pods_below(&self, key: &ObjectKey) -> Vec<&Pod> {
        self.pods_of(key, &self.replica_sets_of(key))
    }

    /// Returns the ReplicaSets of a Deployment.
    pub fn replica_sets_of(&self, key: &ObjectKey) -> Vec<&Workload> {
        if &*key.kind != "Deployment" {
            return Vec::new();
        }
        let named = |cluster| {
            let place = (cluster, &*key.namespace);
            self.joins.workloads_by_parent.find(self.workloads.as_slice(), place, &[&key.name])
        };
        let sets = places(key).flat_map(named).filter(|set| &*set.key().kind == "ReplicaSet");
        sets.filter(|set| is_child(&set.meta, "Deployment", &key.name, 1)).collect()
    }

    /// Returns the pods of a workload, given its ReplicaSets.
    pub fn pods_of<'g>(&'g self, key: &ObjectKey, sets: &[&Workload]) -> Vec<&'g Pod> {
        let names: Vec<&str> = names(key, sets).collect();
        let pods = places(key).flat_map(|cluster| {
            let place = (cluster, &*key.namespace);
            self.joins.pods_by_parent.find(self.pods.as_slice(), place, &names)
        });
        let set_names: BTreeSet<&str> = sets.iter().map(|set| set.meta.name()).collect();
        let own = |pod: &&Pod| match &*key.kind {
            "Deployment" => {
                is_child_of_any(&pod.meta, "ReplicaSet", &set_names)
                    || pod.meta.owners.first().map_or_else(
                        || is_row(&pod.meta) && has_parts_behind(pod.meta.name(), &key.name, 2),
                        |owner| {
                            &*owner.kind == "ReplicaSet"
                                && has_parts_behind(&owner.name, &key.name, 1)
                        },
                    )
            }
            kind => is_child(&pod.meta, kind, &key.name, 1),
        };
        pods.filter(own).collect()
    }

    /// Returns the events about an object.
    pub fn events_of(&self, key: &ObjectKey) -> Vec<&Event> {
        let mut found = Vec::new();
        for cluster in places(key) {
            let about = ObjectKey { cluster: cluster.into(), ..key.clone() };
            let from = self.events.partition_point(|event| event.about < about);
            let rest = self.events.get(from..).unwrap_or_default();
            found.extend(rest.iter().take_while(|event| event.about == about));
        }
        found
    }

    /// Returns the events about the ReplicaSets of a Deployment that the bundle does not hold.
    pub fn events_of_unseen_sets(&self, key: &ObjectKey) -> Vec<&Event> {
        let is_deployment = &*key.kind == "Deployment";
        let own = |name: &str| is_deployment && has_parts_behind(name, &key.name, 1);
        self.events_in(key, "ReplicaSet", &[&key.name], own)
    }

    /// Returns the events about a workload's pods, also of pods that the bundle does not hold.
    pub fn events_of_pods(&self, key: &ObjectKey, sets: &[&Workload]) -> Vec<&Event> {
        let parts = if &*key.kind == "Deployment" { 2 } else { 1 };
        let own = |name: &str| {
            has_parts_behind(name, &key.name, parts)
                || sets.iter().any(|set| has_parts_behind(name, set.meta.name(), 1))
        };
        let prefixes: Vec<&str> = names(key, sets).collect();
        self.events_in(key, "Pod", &prefixes, own)
    }

    /// Returns the events about objects of a kind beside a workload whose names have one of these prefixes and pass
    /// a closer look.
    fn events_in(
        &self,
        key: &ObjectKey,
        kind: &str,
        prefixes: &[&str],
        own: impl Fn(&str) -> bool,
    ) -> Vec<&Event> {
        let mut all = Vec::new();
        for cluster in places(key) {
            let mut found: BTreeSet<usize> = BTreeSet::new();
            for prefix in prefixes {
                let wanted = [cluster, kind, &*key.namespace, prefix];
                let place = |event: &Event| {
                    let ObjectKey { cluster, kind, namespace, name } = &event.about;
                    [&**cluster, &**kind, &**namespace, &**name].cmp(&wanted)
                };
                let from = self.events.partition_point(|event| place(event).is_lt());
                let here = self.events.iter().enumerate().skip(from).take_while(|(_, event)| {
                    let ObjectKey { cluster, kind, namespace, name } = &event.about;
                    wanted.starts_with(&[cluster, kind, namespace]) && name.starts_with(prefix)
                });
                let here = here.filter(|(_, event)| own(&event.about.name));
                found.extend(here.map(|(index, _)| index));
            }
            all.extend(found.into_iter().filter_map(|index| self.events.get(index)));
        }
        all
    }
}

impl<T: HasMeta> ObjectSet<T> {
    /// Finds an object on its member, or in a file that does not say where it comes from.
    pub fn find_here(&self, key: &ObjectKey) -> Option<&T> {
        self.find(key).or_else(|| {
            let unplaced = ObjectKey { cluster: "".into(), ..key.clone() };
            self.find(&unplaced)
        })
    }
}

/// Returns the names with which those of a workload's pods, or of their owners, begin; none begins with another.
fn names<'k>(key: &'k ObjectKey, sets: &'k [&Workload]) -> impl Iterator<Item = &'k str> {
    let own = &*key.name;
    let others = sets.iter().map(|set| set.meta.name()).filter(move |name| !name.starts_with(own));
    others.chain([own])
}

/// Returns the clusters under which objects of a member are kept: its own name, and none.
fn places(key: &ObjectKey) -> impl Iterator<Item = &str> {
    let own = Some(&*key.cluster).filter(|cluster| !cluster.is_empty());
    own.into_iter().chain([""])
}

/// Says whether an object belongs to an owner: by its reference, or by its name where none can be shown.
fn is_child(meta: &Meta, kind: &str, name: &str, parts: usize) -> bool {
    if meta.owners.is_empty() {
        return is_row(meta) && has_parts_behind(meta.name(), name, parts);
    }
    meta.owners.iter().any(|owner| &*owner.kind == kind && &*owner.name == name)
}

/// Says whether an object belongs to one of several owners of a kind, as [`is_child`] says it of one, by one part.
fn is_child_of_any(meta: &Meta, kind: &str, names: &BTreeSet<&str>) -> bool {
    if meta.owners.is_empty() {
        let stem = meta.name().rsplit_once('-').filter(|(_, part)| !part.contains('.'));
        return is_row(meta) && stem.is_some_and(|(stem, _)| names.contains(stem));
    }
    meta.owners.iter().any(|owner| &*owner.kind == kind && names.contains(&*owner.name))
}

/// Says whether an object is a row or a piece: those show no owner, so only its name tells.
fn is_row(meta: &Meta) -> bool {
    meta.syntax == Syntax::Table || meta.partial
}

/// Says whether a name is a prefix and exactly `parts` parts behind it, as controllers make names.
fn has_parts_behind(name: &str, prefix: &str, parts: usize) -> bool {
    let rest = name.strip_prefix(prefix).and_then(|rest| rest.strip_prefix('-'));
    rest.is_some_and(|rest| rest.split('-').count() == parts && !rest.contains('.'))
}
