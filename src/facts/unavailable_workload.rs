//! Workloads that are not available on a member, with the pods and events that tell why.

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use foldhash::fast::FixedState;

use smol_str::SmolStr;

use super::failure::{FailedStep, Failure};
use super::waiting_cluster::WaitingCluster;
use crate::behaviour::reserved::is_reserved;
use crate::grammar::kind::Kind;
use crate::graph::{Graph, HasMeta};
use crate::model::condition::Condition;
use crate::model::event::Event;
use crate::model::key::{HUB, ObjectKey};
use crate::model::meta::Meta;
use crate::model::pod::{ContainerStatus, Pod};
use crate::model::read::Text;
use crate::model::work::MEMBER_NAMESPACE;
use crate::model::workload::Workload;

/// The reports on manifests, the workloads, and what stands below them.
pub const READS: &[Kind] = &[
    Kind::Work,
    Kind::Binding,
    Kind::Placement,
    Kind::Deployment,
    Kind::ReplicaSet,
    Kind::StatefulSet,
    Kind::DaemonSet,
    Kind::Event,
    Kind::Pod,
    Kind::Run,
];

/// A workload on a member that is not available, with everything below it that the bundle holds.
#[derive(Debug)]
pub struct UnavailableWorkload<'g> {
    /// The workload; its cluster is the member.
    pub key: ObjectKey,
    /// The failure that the hub reports, if it does.
    pub failure: Option<&'g Failure>,
    /// The same failure on further members, any of which its parts may be of.
    pub others: Vec<&'g Failure>,
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
    /// The runs that wait for this member, where nothing but the member's side tells of the workload.
    pub awaited_by: Vec<(ObjectKey, SmolStr)>,
}

impl<'g> UnavailableWorkload<'g> {
    /// Says whether no part of it is from a file that does not say where it comes from.
    fn comes_from(&self, cluster: &str) -> bool {
        let workloads = self.workload.into_iter().chain(self.replica_sets.iter().copied());
        let pods = self.pods.iter().map(|pod| pod.key());
        let events = self.events.iter().map(|event| &event.about);
        workloads.map(HasMeta::key).chain(pods).chain(events).all(|key| &*key.cluster == cluster)
    }

    /// Returns the failures that the hub reports of it, on every member that it may be of.
    pub fn failures(&self) -> impl Iterator<Item = &'g Failure> + use<'_, 'g> {
        self.failure.into_iter().chain(self.others.iter().copied())
    }

    /// Returns the containers of its pods that wait for one of these reasons.
    pub fn waiting(&self, reasons: &[&str]) -> Vec<(&'g Pod, &'g ContainerStatus)> {
        let all =
            self.pods.iter().flat_map(|pod| pod.statuses.iter().map(move |status| (*pod, status)));
        all.filter(|(_, status)| reasons.contains(&status.waits_for())).collect()
    }

    /// Returns the events about its pods that have one of these reasons, the newest last.
    ///
    /// Events outlive what they tell of: where the pods themselves are in the bundle, only the events of
    /// pods that are not ready count.
    pub fn pod_events(&self, reasons: &[&str]) -> Vec<&'g Event> {
        let healthy = |event: &Event| {
            let known = self.pods.iter().find(|pod| *pod.meta.name() == *event.about.name);
            known.map_or(!self.pods.is_empty(), |pod| pod.is_ready())
        };
        let events = self.events.iter().copied();
        let mut found: Vec<&Event> = events
            .filter(|event| &*event.about.kind == "Pod" && reasons.contains(&event.reason()))
            .filter(|event| !healthy(event) && !self.is_overcome(event))
            .collect();
        found.sort_by_key(|event| event.last.map(|last| last.value));
        found
    }

    /// Says whether a later event shows that the pod has left this behind: an event outlives what it tells of.
    fn is_overcome(&self, event: &Event) -> bool {
        let step = match event.reason() {
            "FailedScheduling" => "Scheduled",
            "Unhealthy" => return false,
            _ => "Started",
        };
        self.events.iter().any(|other| {
            other.about == event.about && other.reason() == step && event.is_before(other)
        })
    }

    /// Says whether the workload or one of its ReplicaSets has a condition that is true.
    pub fn has_condition(&self, kind: &str) -> bool {
        let mut workloads = self.workload.into_iter().chain(self.replica_sets.iter().copied());
        workloads.any(|workload| workload.condition(kind).is_some_and(Condition::is_true))
    }
}

/// Collects the workloads that are not available on members: those that the hub reports, and those of
/// which only the member's side was sent.
pub(super) fn find_unavailable<'g>(
    graph: &'g Graph,
    failures: &'g [Failure],
    waiting: &[WaitingCluster<'_>],
) -> Vec<UnavailableWorkload<'g>> {
    let mut found = reported(graph, failures);
    let mut told: BTreeMap<AnyMember<'g>, BTreeSet<&'g str>> = BTreeMap::new();
    for failure in failures.iter().filter(|failure| is_unavailable_workload(failure)) {
        told.entry(on_any_member(&failure.object)).or_default().insert(&failure.object.cluster);
    }
    let delivered = LazyCell::new(|| Delivered::of(graph));
    for workload in &graph.workloads {
        let key = workload.key();
        if !is_workload_kind(&key.kind) || workload.shortfall().is_none() {
            continue;
        }
        let sent = delivered.has(&workload.meta);
        let clusters = told.entry(on_any_member(key)).or_default();
        let is_identified = clusters.contains(&*key.cluster)
            || clusters.contains("")
            || (key.cluster.is_empty() && !clusters.is_empty());
        if (sent || is_of_interest(graph, &workload.meta))
            && !is_identified
            && !is_judged(graph, &workload.meta)
        {
            clusters.insert(&key.cluster);
            let known = with_parts(graph, key.clone(), None);
            found.push(UnavailableWorkload { is_placed: sent, ..known });
        }
    }
    let own_pods: BTreeSet<&ObjectKey> =
        found.iter().flat_map(|known| known.pods.iter().map(|pod| pod.key())).collect();
    let mut owners: BTreeSet<ObjectKey> = BTreeSet::new();
    for pod in graph.pods.iter().filter(|pod| is_of_interest(graph, &pod.meta)) {
        let known = || graph.workloads.find_here(&owner_of(pod)).is_some();
        if !own_pods.contains(pod.key()) && !pod.is_ready() && !known() {
            owners.insert(owner_of(pod));
        }
    }
    let known: BTreeSet<&ObjectKey> = found.iter().map(|known| &known.key).collect();
    owners.extend(owners_by_events(graph).into_iter().filter(|owner| !known.contains(owner)));
    found.extend(
        owners.into_iter().map(|owner| UnavailableWorkload {
            is_placed: false,
            ..with_parts(graph, owner, None)
        }),
    );
    let mut awaited: BTreeMap<&str, Vec<(ObjectKey, SmolStr)>> = BTreeMap::new();
    for one in waiting {
        let run = (one.run.meta.key.clone(), one.cluster.clone());
        awaited.entry(&*one.cluster).or_default().push(run);
    }
    for own in found.iter_mut().filter(|known| known.failure.is_none()) {
        own.awaited_by = awaited_by(&own.key, &awaited);
    }
    found
}

/// Returns the runs that wait for the member of a workload; a workload that does not say where it is can only be
/// on the one cluster that is waited for.
fn awaited_by(
    key: &ObjectKey,
    awaited: &BTreeMap<&str, Vec<(ObjectKey, SmolStr)>>,
) -> Vec<(ObjectKey, SmolStr)> {
    let only = || awaited.values().next().filter(|_| key.cluster.is_empty() && awaited.len() == 1);
    awaited.get(&*key.cluster).or_else(only).cloned().unwrap_or_default()
}

/// Returns the workloads of which only the warnings about them, their ReplicaSets and their pods were sent.
fn owners_by_events(graph: &Graph) -> BTreeSet<ObjectKey> {
    let warnings = graph.events.iter().filter(|event| event.is_warning());
    let alone = warnings.filter(|event| {
        let about = &event.about;
        is_of_interest_at(graph, &about.cluster, &about.namespace) && !is_shown(graph, about)
    });
    alone.filter_map(|event| owner_of_name(&event.about)).collect()
}

/// Says whether the bundle holds a pod, ReplicaSet or workload itself.
fn is_shown(graph: &Graph, key: &ObjectKey) -> bool {
    graph.pods.find_here(key).is_some() || graph.workloads.find_here(key).is_some()
}

/// Returns the workload of what an event speaks of, by the names that controllers give.
fn owner_of_name(key: &ObjectKey) -> Option<ObjectKey> {
    let deployment = |parts| deployment_in(&key.name, parts);
    let owner = match &*key.kind {
        "Pod" => deployment(2),
        "ReplicaSet" => deployment(1),
        kind if is_workload_kind(kind) => None,
        _ => return None,
    };
    Some(match owner {
        Some(name) => ObjectKey { kind: "Deployment".into(), name: name.into(), ..key.clone() },
        None => key.clone(),
    })
}

/// Returns the name of the Deployment in that of its ReplicaSet or pod: a hash and, for a pod, five characters
/// follow it. Any other name tells no Deployment: `web-0` is of a StatefulSet, `report-29105760-x7k2p` of a CronJob.
fn deployment_in(name: &str, parts: usize) -> Option<&str> {
    let drawn = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let digits = |text: &str| text.bytes().filter(u8::is_ascii_digit).count();
    let set = if parts == 2 {
        let (set, suffix) = name.rsplit_once('-')?;
        (suffix.len() == 5 && drawn(suffix)).then_some(set)?
    } else {
        name
    };
    let (deployment, hash) = set.rsplit_once('-')?;
    let is_hash =
        (6..=10).contains(&hash.len()) && drawn(hash) && (2..hash.len()).contains(&digits(hash));
    (is_hash && !deployment.is_empty()).then_some(deployment)
}

/// Returns the workloads that the hub reports, each with its parts.
///
/// Parts from files that do not say where they come from belong to the one member that has the trouble. Where
/// several have it, they are given to none of them: the workload then stands for all, without a cluster.
fn reported<'g>(graph: &'g Graph, failures: &'g [Failure]) -> Vec<UnavailableWorkload<'g>> {
    let mut objects: BTreeMap<_, Vec<&'g Failure>> = BTreeMap::new();
    for failure in failures.iter().filter(|failure| is_unavailable_workload(failure)) {
        objects.entry(on_any_member(&failure.object)).or_default().push(failure);
    }
    let mut found = Vec::new();
    for failures in objects.into_values() {
        if let [only] = failures.as_slice() {
            found.push(with_parts(graph, only.object.clone(), Some(only)));
            continue;
        }
        let mut unplaced = Vec::new();
        for failure in failures {
            let known = with_parts(graph, failure.object.clone(), Some(failure));
            if known.comes_from(&failure.object.cluster) {
                found.push(known);
            } else {
                unplaced.push(failure);
            }
        }
        if let Some((first, others)) = unplaced.split_first() {
            let nowhere = ObjectKey { cluster: "".into(), ..first.object.clone() };
            let known = with_parts(graph, nowhere, Some(first));
            let others = others.to_vec();
            found.push(UnavailableWorkload { is_placed: false, others, ..known });
        }
    }
    found
}

fn with_parts<'g>(
    graph: &'g Graph,
    key: ObjectKey,
    failure: Option<&'g Failure>,
) -> UnavailableWorkload<'g> {
    let workload = graph.workloads.find_here(&key);
    let replica_sets = graph.replica_sets_of(&key);
    let pods = graph.pods_of(&key, &replica_sets);
    let mut events = graph.events_of(&key);
    for set in &replica_sets {
        events.extend(graph.events_of(set.key()));
    }
    if replica_sets.is_empty() {
        events.extend(graph.events_of_unseen_sets(&key));
    }
    events.extend(graph.events_of_pods(&key, &replica_sets));
    UnavailableWorkload {
        key,
        failure,
        others: Vec::new(),
        workload,
        replica_sets,
        pods,
        events,
        is_placed: true,
        awaited_by: Vec::new(),
    }
}

/// What Works put on members.
struct Delivered<'g> {
    /// What AppliedWorks list: member, kind, namespace, name.
    listed: HashSet<(&'g str, AnyMember<'g>), FixedState>,
}

impl<'g> Delivered<'g> {
    fn of(graph: &'g Graph) -> Self {
        let text = |text: &'g Option<Text>| text.as_deref().unwrap_or_default();
        let listed = graph.applied_works.iter().flat_map(|applied| {
            applied.resources.iter().map(move |id| {
                let object = (text(&id.kind), text(&id.namespace), text(&id.name));
                (&*applied.meta.key.cluster, object)
            })
        });
        Self { listed: listed.collect() }
    }

    /// Says whether an object on a member was put there by a Work: by its owner, by the agent's mark, which
    /// describe text shows too, or by the list of an AppliedWork.
    fn has(&self, meta: &Meta) -> bool {
        let owned = || meta.owners.iter().any(|owner| &*owner.kind == "AppliedWork");
        let marked = || meta.annotation("kubernetes-fleet.io/spec-hash").is_some();
        let listed = || self.listed.contains(&(&*meta.key.cluster, on_any_member(&meta.key)));
        &*meta.key.cluster != HUB && (owned() || marked() || listed())
    }
}

fn is_of_interest(graph: &Graph, meta: &Meta) -> bool {
    is_of_interest_at(graph, &meta.key.cluster, meta.namespace())
}

/// Says whether what lies on a cluster was sent for its own sake: of the hub came nothing, or pieces only, which
/// cannot tell whether KubeFleet brought it.
fn is_of_interest_at(graph: &Graph, cluster: &str, namespace: &str) -> bool {
    let own = is_reserved(namespace) || namespace.starts_with("gatekeeper-");
    let hub = [Kind::Run, Kind::Placement, Kind::Binding, Kind::Work, Kind::MemberCluster];
    cluster != HUB && !own && !hub.iter().any(|kind| graph.holds_whole(*kind))
}

/// Says whether the hub's side of the bundle has a word on an object that a Work delivered.
fn is_judged(graph: &Graph, meta: &Meta) -> bool {
    let cluster = &*meta.key.cluster;
    let mut works = meta.owners.iter().filter(|owner| &*owner.kind == "AppliedWork");
    works.any(|owner| {
        if cluster.is_empty() {
            let mut works = graph.works.iter();
            return works.any(|work| work.meta.name() == &*owner.name.value);
        }
        let namespace = format!("{MEMBER_NAMESPACE}{cluster}");
        graph.works.find(&ObjectKey::on_hub("Work", &namespace, &owner.name)).is_some()
    })
}

/// Kind, namespace and name: what an object is called on every member.
type AnyMember<'g> = (&'g str, &'g str, &'g str);

fn on_any_member(key: &ObjectKey) -> AnyMember<'_> {
    (&key.kind, &key.namespace, &key.name)
}

fn is_unavailable_workload(failure: &Failure) -> bool {
    failure.step == FailedStep::Availability && is_workload_kind(&failure.object.kind)
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
            let hash = pod.meta.label("pod-template-hash");
            let own = hash.and_then(|hash| owner.name.strip_suffix(&**hash)?.strip_suffix('-'));
            named("Deployment", &own.map_or_else(|| without(&owner.name, 1), str::to_owned))
        }
        Some(owner) => named(&owner.kind, &owner.name),
        None if pod.meta.label("pod-template-hash").is_some() => {
            named("Deployment", &without(&key.name, 2))
        }
        None => owner_of_name(key).unwrap_or_else(|| key.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_with_a_hash_tell_a_deployment() {
        assert_eq!(deployment_in("web-app-7bfc45db74-nffcb", 2), Some("web-app"));
        assert_eq!(deployment_in("web-7bfc45db74", 1), Some("web"));
        for pod in ["web-0", "agent-x7k2p", "report-29105760-x7k2p", "my-web-server", "web-app-api"]
        {
            assert_eq!(deployment_in(pod, 2), None, "{pod}");
        }
    }
}
