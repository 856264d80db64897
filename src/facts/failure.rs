//! Failures: one resource that one placement could not apply, or get available, on one cluster.
//!
//! The same failure stands in up to three objects: the Work's report on the manifest, the binding's
//! list and the placement's list per cluster, each copied from the one before. They are one failure
//! here, told in the words of the freshest, and a fresher object that says otherwise wins: text that
//! changes alone is not copied up (KubeFleet pkg/controllers/bindingwatcher).

mod vague_copies;

use std::collections::{BTreeMap, BTreeSet};

use smol_str::SmolStr;

use self::vague_copies::join_vague_copies;
use super::messages::Messages;
use crate::grammar::kind::Kind;
use crate::grammar::message::MessageId;
use crate::graph::Graph;
use crate::model::binding::Binding;
use crate::model::condition::Condition;
use crate::model::key::ObjectKey;
use crate::model::meta::Meta;
use crate::model::parsed_message::{ParsedMessage, Phrase};
use crate::model::placement::{
    FailedPlacement, FieldDifference, PerCluster, Placement, ResourceId,
};
use crate::model::work::{ManifestReport, Work};
use crate::source::Span;

/// The three kinds that repeat what became of a manifest.
pub const READS: &[Kind] = &[Kind::Work, Kind::Binding, Kind::Placement];

/// What a resource did not reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FailedStep {
    /// The member refused it, or the agent did not try.
    Apply,
    /// It was applied and is not available.
    Availability,
    /// Its differences could not be reported.
    Diff,
}

/// One resource that one placement could not get done on one cluster.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The placement, where labels tell.
    pub placement: Option<ObjectKey>,
    /// The object on the member; its cluster is the member.
    pub object: ObjectKey,
    /// Its API group.
    pub group: SmolStr,
    /// The envelope that it came in.
    pub envelope: Option<SmolStr>,
    /// What it did not reach.
    pub step: FailedStep,
    /// The freshest condition that says so.
    pub condition: Condition,
    /// The message of that condition, taken apart.
    pub said: Option<ParsedMessage>,
    /// The fields that differ between hub and member, where the agent lists them.
    pub details: Vec<FieldDifference>,
    /// The Work that reported it.
    pub work: Option<ObjectKey>,
    /// Where it stands, the freshest first.
    pub witnesses: Vec<FailureSource>,
}

/// A place where a failure stands.
#[derive(Clone, Debug)]
pub struct FailureSource {
    /// The object that holds the place.
    pub key: ObjectKey,
    /// Where the message stands that reports the failure.
    pub span: Span,
}

impl Failure {
    /// Returns the member's name.
    pub fn cluster(&self) -> &str {
        &self.object.cluster
    }

    /// Returns the reason of the condition.
    pub fn reason(&self) -> &str {
        self.condition.reason()
    }

    /// Finds a phrase of its message by the names of templates.
    pub fn find(&self, ids: &[MessageId]) -> Option<Phrase<'_>> {
        self.said.as_ref().and_then(|said| said.find(ids))
    }
}

/// A resource of a placement on a cluster.
type Slot = (Option<ObjectKey>, ObjectKey);

struct Collector<'c, 'g> {
    messages: &'c Messages<'g>,
    failures: BTreeMap<Slot, Failure>,
    /// Resources that a fresher object calls done.
    done: BTreeSet<Slot>,
    /// Placements on clusters of which a fresher object told everything.
    settled: BTreeSet<(ObjectKey, SmolStr)>,
    /// Placements on clusters of which some object reports a failure.
    failing: BTreeSet<(ObjectKey, SmolStr)>,
}

/// Collects the failures of a bundle.
pub(super) fn find_failures<'g>(graph: &'g Graph, messages: &Messages<'g>) -> Vec<Failure> {
    let mut collector = Collector::new(messages);
    for work in &graph.works {
        collector.add_work(work);
    }
    for binding in &graph.bindings {
        collector.add_binding(binding);
    }
    for placement in &graph.placements {
        for cluster in &placement.clusters {
            collector.add_cluster(placement, cluster);
        }
    }
    join_vague_copies(&mut collector.failures);
    collector.failures.into_values().collect()
}

impl<'c, 'g> Collector<'c, 'g> {
    fn new(messages: &'c Messages<'g>) -> Self {
        let (failures, done, settled, failing) = Default::default();
        Self { messages, failures, done, settled, failing }
    }

    fn add_work(&mut self, work: &'g Work) {
        // A Work that is going away, or that the agent has not looked at, proves nothing of the present.
        if work.meta.deleting.is_some() || !work.is_processed() {
            return;
        }
        for report in &work.reports {
            let Some(object) = member_key(&report.resource, work.cluster()) else { continue };
            let slot = (work.placement(), object.clone());
            let Some((step, condition)) = failing(report) else {
                self.done.insert(slot);
                continue;
            };
            let details = if report.drifts.is_empty() { &report.diffs } else { &report.drifts };
            let witness = FailureSource { key: work.meta.key.clone(), span: condition.best_span() };
            self.add(
                slot,
                Failure {
                    placement: work.placement(),
                    object,
                    group: text(&report.resource.group),
                    envelope: work.envelope().map(|name| name.value.clone()),
                    step,
                    condition: condition.clone(),
                    said: self.messages.of_condition(condition, "Work"),
                    details: details.clone(),
                    work: Some(work.meta.key.clone()),
                    witnesses: vec![witness],
                },
            );
        }
    }

    fn add(&mut self, slot: Slot, failure: Failure) {
        if let Some(placement) = &failure.placement {
            self.failing.insert((placement.clone(), failure.object.cluster.clone()));
        }
        self.failures.insert(slot, failure);
    }

    fn add_binding(&mut self, binding: &'g Binding) {
        if !binding.is_identified() {
            return;
        }
        let (placement, cluster) = (binding.placement_or_unnamed(), binding.cluster());
        // A piece may lack the condition that says otherwise.
        if !binding.meta.partial && !binding.conditions.is_empty() {
            self.settled.insert((placement.clone(), cluster.into()));
        }
        let gone =
            binding.meta.deleting.is_some() || binding.state.as_deref() == Some("Unscheduled");
        if gone || binding.is_done() {
            return;
        }
        let lists =
            Lists { failed: &binding.failed, drifted: &binding.drifted, diffed: &binding.diffed };
        self.add_lists(&placement, cluster, &binding.meta, lists);
    }

    fn add_cluster(&mut self, placement: &'g Placement, cluster: &'g PerCluster) {
        let key = &placement.meta.key;
        let name = cluster.name();
        let slot = (key.clone(), name.into());
        let settled = self.settled.contains(&slot) && !self.failing.contains(&slot);
        if settled {
            return;
        }
        let lists =
            Lists { failed: &cluster.failed, drifted: &cluster.drifted, diffed: &cluster.diffed };
        self.add_lists(key, name, &placement.meta, lists);
    }

    fn add_lists(&mut self, placement: &ObjectKey, cluster: &str, meta: &Meta, lists: Lists<'g>) {
        for failed in lists.failed {
            let known = member_key(&failed.resource, cluster);
            // A piece may show the words of the member without the object that they are about.
            let unknown = || failed.resource.is_unknown().then(|| unknown_object(cluster));
            let object = known.or_else(|| unknown().filter(|_| meta.partial));
            let (Some(object), Some(condition)) = (object, &failed.condition) else { continue };
            let slot = (Some(placement.clone()), object.clone());
            if self.done.contains(&slot) {
                continue;
            }
            let witness = FailureSource { key: meta.key.clone(), span: condition.best_span() };
            if let Some(known) = self.failures.get_mut(&slot) {
                known.witnesses.push(witness);
                continue;
            }
            let failure = Failure {
                placement: Some(placement.clone()),
                group: text(&failed.resource.group),
                envelope: failed.resource.envelope.as_ref().map(|name| name.value.clone()),
                step: step_of(condition),
                condition: condition.clone(),
                said: self.messages.of_condition(condition, "Work"),
                details: lists.details_of(&object, cluster),
                object,
                work: None,
                witnesses: vec![witness],
            };
            self.add(slot, failure);
        }
    }
}

/// The three lists that bindings and placements keep per cluster.
#[derive(Clone, Copy)]
struct Lists<'l> {
    failed: &'l [FailedPlacement],
    drifted: &'l [FailedPlacement],
    diffed: &'l [FailedPlacement],
}

impl Lists<'_> {
    fn details_of(self, object: &ObjectKey, cluster: &str) -> Vec<FieldDifference> {
        let same = |entry: &&FailedPlacement| {
            member_key(&entry.resource, cluster).is_some_and(|key| key == *object)
        };
        let mut entries = self.drifted.iter().chain(self.diffed).filter(same);
        entries.next().map(|entry| entry.details.clone()).unwrap_or_default()
    }
}

/// Returns the key of a resource on a member.
pub fn member_key(resource: &ResourceId, cluster: &str) -> Option<ObjectKey> {
    Some(ObjectKey {
        cluster: cluster.into(),
        kind: resource.kind.as_ref()?.value.clone(),
        namespace: text(&resource.namespace),
        name: resource.name.as_ref()?.value.clone(),
    })
}

/// Returns the key of an object on a member of which nothing is told.
fn unknown_object(cluster: &str) -> ObjectKey {
    let (kind, namespace, name) = ("Object".into(), "".into(), "".into());
    ObjectKey { cluster: cluster.into(), kind, namespace, name }
}

fn text(text: &Option<crate::model::read::Text>) -> SmolStr {
    text.as_ref().map(|text| text.value.clone()).unwrap_or_default()
}

fn failing(report: &ManifestReport) -> Option<(FailedStep, &Condition)> {
    let steps = [
        (FailedStep::Apply, "Applied"),
        (FailedStep::Availability, "Available"),
        (FailedStep::Diff, "DiffReported"),
    ];
    // What the agent is about to do is no failure: it wrote this down before it tried.
    let is_failure = |c: &&Condition| c.is_false() && c.reason() != "PreparingToProcess";
    steps.iter().find_map(|(step, kind)| {
        report.condition(kind).filter(is_failure).map(|condition| (*step, condition))
    })
}

fn step_of(condition: &Condition) -> FailedStep {
    match &*condition.kind {
        "Available" => FailedStep::Availability,
        "DiffReported" => FailedStep::Diff,
        _ => FailedStep::Apply,
    }
}
