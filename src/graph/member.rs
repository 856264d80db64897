//! Joins on the member side: from a workload to the pods and events that tell why it is not available.
//!
//! Hub and member hold objects of the same names; here only those count that come from the member in
//! question or from a file that does not say where it comes from.

use std::collections::{BTreeMap, BTreeSet};

use super::failure::{Failure, Step};
use super::{Family, Graph, HasMeta};
use crate::grammar::kind::Kind;
use crate::model::applied_work::AppliedWork;
use crate::model::condition::Condition;
use crate::model::event::Event;
use crate::model::key::{HUB, ObjectKey};
use crate::model::meta::Meta;
use crate::model::pod::Pod;
use crate::model::read::Text;
use crate::model::work::MEMBER_NAMESPACE;
use crate::model::workload::Workload;

/// A workload on a member that is not available, with everything below it that the bundle holds.
#[derive(Debug)]
pub struct Ailing<'g> {
    /// The workload; its cluster is the member.
    pub key: ObjectKey,
    /// The failure that the hub reports, if it does.
    pub failure: Option<&'g Failure>,
    /// The workload's own text.
    pub workload: Option<&'g Workload>,
    /// The ReplicaSets of a Deployment.
    pub replica_sets: Vec<&'g Workload>,
    /// Its pods.
    pub pods: Vec<&'g Pod>,
    /// Events about the workload, its ReplicaSets and its pods.
    pub events: Vec<&'g Event>,
    /// Whether all of it surely is of this member: false where several members have the same trouble
    /// and the files do not say which one they are from.
    pub is_placed: bool,
}

impl Ailing<'_> {
    /// Says whether no part of it is from a file that does not say where it comes from.
    fn comes_from(&self, cluster: &str) -> bool {
        let workloads = self.workload.into_iter().chain(self.replica_sets.iter().copied());
        let pods = self.pods.iter().map(|pod| pod.key());
        let events = self.events.iter().map(|event| &event.about);
        workloads.map(HasMeta::key).chain(pods).chain(events).all(|key| &*key.cluster == cluster)
    }

    /// Says whether the workload or one of its ReplicaSets has a condition that is true.
    pub fn has_condition(&self, kind: &str) -> bool {
        let mut workloads = self.workload.into_iter().chain(self.replica_sets.iter().copied());
        workloads.any(|workload| workload.condition(kind).is_some_and(Condition::is_true))
    }
}

impl Graph {
    /// Returns the workloads that are not available on members: those that the hub reports, and those
    /// of which only the member's side was sent.
    pub fn ailing(&self) -> Vec<Ailing<'_>> {
        let is_workload = |failure: &&Failure| {
            failure.step == Step::Availability && is_workload_kind(&failure.object.kind)
        };
        let mut members: BTreeMap<_, usize> = BTreeMap::new();
        for failure in self.failures.iter().filter(is_workload) {
            *members.entry(on_any_member(&failure.object)).or_default() += 1;
        }
        let mut ailing: Vec<Ailing<'_>> = Vec::new();
        for failure in self.failures.iter().filter(is_workload) {
            let mut known = self.ailing_at(failure.object.clone(), Some(failure));
            known.is_placed = members.get(&on_any_member(&failure.object)) == Some(&1)
                || known.comes_from(&failure.object.cluster);
            ailing.push(known);
        }
        for workload in self.workloads.as_slice() {
            let short = is_workload_kind(&workload.meta.key.kind) && workload.shortfall().is_some();
            let told = || ailing.iter().any(|known| same_object(&known.key, workload.key()));
            let sent = self.is_delivered(&workload.meta);
            if short
                && (sent || self.is_of_interest(&workload.meta))
                && !told()
                && !self.is_judged(&workload.meta)
            {
                let mut known = self.ailing_at(workload.meta.key.clone(), None);
                known.is_placed = sent;
                ailing.push(known);
            }
        }
        let mut owners: BTreeSet<ObjectKey> = BTreeSet::new();
        for pod in self.pods.as_slice().iter().filter(|pod| !pod.is_ready()) {
            let known = || self.workloads.find_here(&owner_of(pod)).is_some();
            let told = || ailing.iter().any(|it| it.pods.iter().any(|own| own.key() == pod.key()));
            if self.is_of_interest(&pod.meta) && !told() && !known() {
                owners.insert(owner_of(pod));
            }
        }
        for owner in owners {
            let known = Ailing { is_placed: false, ..self.ailing_at(owner, None) };
            ailing.push(known);
        }
        ailing
    }

    fn ailing_at<'g>(&'g self, key: ObjectKey, failure: Option<&'g Failure>) -> Ailing<'g> {
        let workload = self.workloads.find_here(&key);
        let replica_sets = self.replica_sets_of(&key);
        let pods = self.pods_of(&key, &replica_sets);
        let mut events = self.events_of(&key);
        for set in &replica_sets {
            events.extend(self.events_of(set.key()));
        }
        events.extend(self.events_of_pods(&key, &replica_sets));
        Ailing { key, failure, workload, replica_sets, pods, events, is_placed: true }
    }

    /// Returns the pods of a workload on its member, or from files that do not say where they come from.
    pub fn pods_below(&self, key: &ObjectKey) -> Vec<&Pod> {
        self.pods_of(key, &self.replica_sets_of(key))
    }

    fn replica_sets_of(&self, key: &ObjectKey) -> Vec<&Workload> {
        if &*key.kind != "Deployment" {
            return Vec::new();
        }
        let sets = places(key)
            .flat_map(|cluster| self.workloads.in_namespace(cluster, "ReplicaSet", &key.namespace));
        sets.filter(|set| is_child(&set.meta, "Deployment", &key.name, 1)).collect()
    }

    fn pods_of<'g>(&'g self, key: &ObjectKey, sets: &[&Workload]) -> Vec<&'g Pod> {
        let pods =
            places(key).flat_map(|cluster| self.pods.in_namespace(cluster, "Pod", &key.namespace));
        let own = |pod: &&Pod| match &*key.kind {
            "Deployment" => {
                let of_set =
                    |set: &&Workload| is_child(&pod.meta, "ReplicaSet", set.meta.name(), 1);
                sets.iter().any(of_set)
                    || pod.meta.owners.first().map_or_else(
                        || has_parts_behind(pod.meta.name(), &key.name, 2),
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

    /// Returns the events about a workload's pods, also of pods that the bundle does not hold.
    fn events_of_pods(&self, key: &ObjectKey, sets: &[&Workload]) -> Vec<&Event> {
        let parts = if &*key.kind == "Deployment" { 2 } else { 1 };
        let own = |name: &str| {
            has_parts_behind(name, &key.name, parts)
                || sets.iter().any(|set| has_parts_behind(name, set.meta.name(), 1))
        };
        let mut found = Vec::new();
        for cluster in places(key) {
            let place = |event: &Event| {
                let about = &event.about;
                (&*about.cluster, &*about.kind, &*about.namespace).cmp(&(
                    cluster,
                    "Pod",
                    &*key.namespace,
                ))
            };
            let from = self.events.partition_point(|event| place(event).is_lt());
            let to = self.events.partition_point(|event| place(event).is_le());
            let here = self.events.get(from..to).unwrap_or_default();
            found.extend(here.iter().filter(|event| own(&event.about.name)));
        }
        found
    }

    /// Says whether an object on a member was put there by a Work: by its owner, by the agent's mark, which
    /// describe text shows too, or by the list of an AppliedWork.
    fn is_delivered(&self, meta: &Meta) -> bool {
        let owned = || meta.owners.iter().any(|owner| &*owner.kind == "AppliedWork");
        let marked = || meta.annotation("kubernetes-fleet.io/spec-hash").is_some();
        let lists = |applied: &AppliedWork| {
            let here = *applied.meta.key.cluster == *meta.key.cluster;
            let is = |text: &Option<Text>, own: &str| text.as_deref().unwrap_or_default() == own;
            here && applied.resources.iter().any(|id| {
                is(&id.kind, &meta.key.kind)
                    && is(&id.namespace, meta.namespace())
                    && is(&id.name, meta.name())
            })
        };
        let listed = || self.applied_works.as_slice().iter().any(lists);
        &*meta.key.cluster != HUB && (owned() || marked() || listed())
    }

    /// Says whether a workload was sent for its own sake: nothing of the hub came with it.
    fn is_of_interest(&self, meta: &Meta) -> bool {
        let system = ["kube-", "fleet-", "gatekeeper-"];
        let own = system.iter().any(|prefix| meta.namespace().starts_with(prefix));
        let hub = [Kind::Run, Kind::Placement, Kind::Binding, Kind::Work, Kind::MemberCluster];
        &*meta.key.cluster != HUB && !own && !hub.iter().any(|kind| self.holds_any(*kind))
    }

    /// Says whether the hub's side of the bundle has a word on an object that a Work delivered.
    fn is_judged(&self, meta: &Meta) -> bool {
        let cluster = &*meta.key.cluster;
        let mut works = meta.owners.iter().filter(|owner| &*owner.kind == "AppliedWork");
        works.any(|owner| {
            if cluster.is_empty() {
                return self
                    .works
                    .as_slice()
                    .iter()
                    .any(|work| work.meta.name() == &*owner.name.value);
            }
            let namespace = format!("{MEMBER_NAMESPACE}{cluster}");
            self.works.find(&ObjectKey::on_hub("Work", &namespace, &owner.name)).is_some()
        })
    }
}

impl<T: HasMeta> Family<T> {
    /// Finds an object on its member, or in a file that does not say where it comes from.
    pub fn find_here(&self, key: &ObjectKey) -> Option<&T> {
        self.find(key).or_else(|| {
            let unplaced = ObjectKey { cluster: "".into(), ..key.clone() };
            self.find(&unplaced)
        })
    }
}

/// Returns the clusters under which objects of a member are kept: its own name, and none.
fn places(key: &ObjectKey) -> impl Iterator<Item = &str> {
    let own = Some(&*key.cluster).filter(|cluster| !cluster.is_empty());
    own.into_iter().chain([""])
}

/// Returns what an object is called on every member.
fn on_any_member(key: &ObjectKey) -> (&str, &str, &str) {
    (&key.kind, &key.namespace, &key.name)
}

fn same_object(left: &ObjectKey, right: &ObjectKey) -> bool {
    on_any_member(left) == on_any_member(right)
        && (left.cluster == right.cluster || left.cluster.is_empty() || right.cluster.is_empty())
}

fn is_workload_kind(kind: &str) -> bool {
    ["Deployment", "StatefulSet", "DaemonSet"].contains(&kind)
}

/// Returns the workload of a pod, by its reference, else by the names that controllers give.
fn owner_of(pod: &Pod) -> ObjectKey {
    let key = pod.key();
    let named =
        |kind: &str, name: &str| ObjectKey { kind: kind.into(), name: name.into(), ..key.clone() };
    let without = |name: &str, parts: usize| {
        let mut rest = name.rsplitn(parts + 1, '-');
        rest.nth(parts).unwrap_or(name).to_owned()
    };
    match pod.meta.owners.first() {
        Some(owner) if &*owner.kind == "ReplicaSet" => {
            named("Deployment", &without(&owner.name, 1))
        }
        Some(owner) => named(&owner.kind, &owner.name),
        None if pod.meta.label("pod-template-hash").is_some()
            || key.name.split('-').count() > 2 =>
        {
            named("Deployment", &without(&key.name, 2))
        }
        None => key.clone(),
    }
}

/// Says whether an object belongs to an owner: by its reference, or by its name where it has none.
fn is_child(meta: &Meta, kind: &str, name: &str, parts: usize) -> bool {
    if meta.owners.is_empty() {
        return has_parts_behind(meta.name(), name, parts);
    }
    meta.owners.iter().any(|owner| &*owner.kind == kind && &*owner.name == name)
}

/// Says whether a name is a prefix and exactly `parts` parts behind it, as controllers make names.
fn has_parts_behind(name: &str, prefix: &str, parts: usize) -> bool {
    let rest = name.strip_prefix(prefix).and_then(|rest| rest.strip_prefix('-'));
    rest.is_some_and(|rest| rest.split('-').count() == parts && !rest.contains('.'))
}
