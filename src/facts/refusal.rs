//! Refusals: a member cluster rejected a manifest of a Work, or the pods of a workload.
//!
//! The same policy, quota or webhook can stop both, and what helps is the same, so both are one type.
//! The words are those of the API server or of the agent in front of it, taken apart.

use super::failure::{FailedStep, Failure};
use super::messages::Messages;
use super::unavailable_workload::UnavailableWorkload;
use crate::grammar::kind::Kind;
use crate::grammar::message::MessageContext;
use crate::model::event::Event;
use crate::model::key::ObjectKey;
use crate::model::parsed_message::ParsedMessage;
use crate::model::workload::Workload;
use crate::source::Span;

/// The reports on manifests, and the kinds in which a controller says why it cannot make pods.
pub const READS: &[Kind] = &[
    Kind::Work,
    Kind::Binding,
    Kind::Placement,
    Kind::Deployment,
    Kind::ReplicaSet,
    Kind::StatefulSet,
    Kind::DaemonSet,
    Kind::Event,
];

/// What was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RefusalTarget {
    /// The object itself.
    Object,
    /// The pods that its controller wanted to make.
    Pods,
}

/// A member said no.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// The object in the Work; its cluster is the member.
    pub object: ObjectKey,
    /// Whether the object or its pods were refused.
    pub refused: RefusalTarget,
    /// The placements that suffer.
    pub placement: Option<ObjectKey>,
    /// The message that refuses.
    pub said: ParsedMessage,
    /// Where else the same stands.
    pub echoes: Vec<Span>,
}

impl Refusal {
    /// Returns the member's name.
    pub fn cluster(&self) -> &str {
        &self.object.cluster
    }
}

/// Collects the refusals of a bundle.
pub(super) fn find_refusals<'g>(
    failures: &[Failure],
    unavailable: &[UnavailableWorkload<'g>],
    messages: &Messages<'g>,
) -> Vec<Refusal> {
    let objects = failures.iter().filter(|failure| failure.step == FailedStep::Apply);
    objects
        .filter_map(refused_object)
        .chain(unavailable.iter().flat_map(|it| refused_pods(it, messages)))
        .collect()
}

fn refused_object(failure: &Failure) -> Option<Refusal> {
    Some(Refusal {
        object: failure.object.clone(),
        refused: RefusalTarget::Object,
        placement: failure.placement.clone(),
        said: failure.said.clone()?,
        echoes: failure.witnesses.iter().skip(1).map(|witness| witness.span).collect(),
    })
}

/// Returns why the controller of a workload cannot make its pods, if it says so at present.
fn refused_pods<'g>(
    unavailable: &UnavailableWorkload<'g>,
    messages: &Messages<'g>,
) -> Vec<Refusal> {
    let mut said: Vec<ParsedMessage> = Vec::new();
    let workloads =
        unavailable.workload.into_iter().chain(unavailable.replica_sets.iter().copied());
    let mut known = false;
    for workload in workloads {
        known |= !workload.conditions.is_empty();
        said.extend(failed_create(workload, messages));
    }
    // Events stay for an hour: without the condition beside them, or with all pods there, they are of
    // the past.
    let complete = unavailable.workload.is_some_and(|workload| !workload.lacks_pods());
    let present = unavailable.has_condition("ReplicaFailure") || (!known && !complete);
    let events =
        unavailable.events.iter().filter(|event| present && event.reason() == "FailedCreate");
    said.extend(events.filter_map(|event| said_in(event, messages)));
    let mut said = said.into_iter();
    let Some(first) = said.next() else { return Vec::new() };
    let echoes: Vec<Span> = said.map(|other| other.text.span).take(2).collect();
    // The manifest is the same on every member that has the trouble, and so is what refuses its pods.
    let mut members: Vec<(ObjectKey, Option<ObjectKey>)> = unavailable
        .failures()
        .map(|failure| (failure.object.clone(), failure.placement.clone()))
        .collect();
    if members.is_empty() {
        members.push((unavailable.key.clone(), None));
    }
    let refusal = |(object, placement)| Refusal {
        object,
        refused: RefusalTarget::Pods,
        placement,
        said: first.clone(),
        echoes: echoes.clone(),
    };
    members.into_iter().map(refusal).collect()
}

fn failed_create<'g>(workload: &'g Workload, messages: &Messages<'g>) -> Option<ParsedMessage> {
    let condition = workload.condition("ReplicaFailure").filter(|condition| condition.is_true())?;
    let said = messages.of_condition(condition, &workload.meta.key.kind);
    said.filter(|said| !said.text.is_empty())
}

fn said_in<'g>(event: &'g Event, messages: &Messages<'g>) -> Option<ParsedMessage> {
    let hint = MessageContext { reason: event.reason.as_deref(), ..MessageContext::default() };
    Some(messages.said(event.message.as_ref()?, hint))
}
