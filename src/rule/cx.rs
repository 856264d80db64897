//! [`Cx`]: what a rule may ask, and where it reports.
//!
//! The only door to the input. Each accessor notes the kind it serves, so that a rule's declared
//! reads can be checked against what it really asked for.

mod delivery;
mod logs;
mod manifests;
mod progress;
mod repairs;
mod scheduling;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use super::{Explained, World};
use crate::bundle::Bundle;
use crate::facts::Facts;
use crate::finding::{Command, Finding};
use crate::grammar::kind::Kind;
use crate::grammar::message::{MessageContext, Recognised};
use crate::graph::{Clock, Graph, Listing, Sighting};
use crate::model::age::{Age, Overdue};
use crate::model::approval::ApprovalRequest;
use crate::model::binding::Binding;
use crate::model::cluster::MemberCluster;
use crate::model::condition::Condition;
use crate::model::key::ObjectKey;
use crate::model::log::LogEvent;
use crate::model::overrides::Override;
use crate::model::parsed_message::ParsedMessage;
use crate::model::placement::Placement;
use crate::model::read::Text;
use crate::model::run::Run;
use crate::model::snapshot::{PolicySnapshot, ResourceSnapshot};
use crate::model::strategy::Strategy;
use crate::source::Span;

/// Something the bundle lacks: a read-only command, and the verdict that its output decides.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ask {
    /// The read-only command to run.
    pub command: Command,
    /// What the answer decides.
    pub decides: String,
}

/// The kinds that a rule was served.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    /// Those it asked for itself.
    pub asked: BTreeSet<Kind>,
    /// Those that the facts are made of which it asked for.
    pub by_facts: BTreeSet<Kind>,
}

/// The input as a rule sees it: a capture, or manifests.
pub struct Cx<'g> {
    world: &'g World<'g>,
    graph: &'g Graph,
    facts: &'g Facts<'g>,
    reads: RefCell<Reads>,
    findings: Vec<Finding>,
    asks: BTreeSet<Ask>,
}

impl<'g> Cx<'g> {
    /// Opens the input for one rule.
    pub fn new(world: &'g World<'g>) -> Self {
        let (facts, reads) = (world.facts(), RefCell::default());
        let (findings, asks) = (Vec::new(), BTreeSet::new());
        Self { world, graph: facts.graph(), facts, reads, findings, asks }
    }

    /// Closes it: the findings, the asks and the kinds that were asked for.
    pub fn finish(self) -> (Vec<Finding>, BTreeSet<Ask>, Reads) {
        (self.findings, self.asks, self.reads.into_inner())
    }

    /// Reports a finding.
    pub fn report(&mut self, mut finding: Finding) {
        finding.begin_sentences();
        self.findings.push(finding);
    }

    /// Notes that a verdict needs something that the bundle lacks.
    pub fn ask(&mut self, command: Option<Command>, decides: impl Into<String>) {
        self.asks.extend(command.map(|command| Ask { command, decides: decides.into() }));
    }

    /// Returns the bundle before it meant anything: files, documents, what went wrong in them. For the rules about
    /// the input itself.
    pub fn bundle(&self) -> &'g Bundle {
        self.facts.bundle()
    }

    /// Says whether the bundle holds a run that a log names, in a form that tells more than the log.
    pub fn has_run(&self, namespace: &str, name: &str) -> bool {
        let mut runs = self.graph.runs.all_named(namespace, name);
        runs.any(|run| !self.graph.is_hearsay(&run.meta.key))
    }

    /// Says whether the bundle shows that a run failed, but not with which words, as a row of a table does.
    pub fn lacks_words(&self, namespace: &str, name: &str) -> bool {
        let failure = self.graph.runs.find_named(namespace, name).and_then(|run| run.failure());
        failure.is_some_and(|failure| failure.message().is_empty())
    }

    /// Says whether the bundle holds an object in a form that shows what its controller says; a row or a manifest
    /// never silences a log.
    pub fn has_object(&self, key: &ObjectKey) -> bool {
        !self.graph.is_hearsay(key)
    }

    /// Returns the sightings of an object.
    pub fn sightings_of(&self, key: &ObjectKey) -> &'g [Sighting] {
        self.graph.sightings.get(key).unwrap_or_default()
    }

    /// Says whether a finding points into an object, in whatever file it was seen.
    pub fn is_shown(&self, told: &Explained, key: &ObjectKey) -> bool {
        self.sightings_of(key).iter().any(|sighting| told.points_into(sighting.meta.span))
    }

    /// Returns every object with all its sightings, the used one first.
    pub fn sightings(&self) -> impl Iterator<Item = (&'g ObjectKey, &'g [Sighting])> + use<'g> {
        self.graph.sightings.iter()
    }

    /// Returns the capture clock.
    pub fn clock(&self) -> &'g Clock {
        &self.graph.clock
    }

    /// Returns when a log line was written, for the middle of a sentence: ` at 12:24:32Z`, or nothing.
    pub fn at_time(&self, event: &LogEvent) -> String {
        match event.time {
            Some(time) => format!(" at {}", self.clock().show_moment(time)),
            None => event.at_time(),
        }
    }

    /// Returns how long ago `since` was, unless that is surely less than `patience`.
    ///
    /// For what a condition calls wrong: it is told even where nothing bounds its age, as likely.
    pub fn overdue(&self, since: Timestamp, patience: SignedDuration) -> Option<Overdue> {
        Overdue::beyond(patience, self.clock().since(since)?)
    }

    /// Returns how long ago `since` was, if that is more than `patience` whenever the capture was.
    ///
    /// For what is in order while it is young: where nothing bounds its age, it is not accused.
    pub fn surely_over(&self, since: Timestamp, patience: SignedDuration) -> Option<Age> {
        self.overdue(since, patience).filter(Overdue::is_proven).map(|overdue| overdue.age)
    }

    /// Takes a message apart; that is done once, whoever asks.
    pub fn recognise(&self, text: &'g str, hint: MessageContext<'g>) -> Arc<Recognised> {
        self.facts.messages().recognise(text, hint)
    }

    /// Takes a text apart and keeps it beside its parts.
    pub fn said(&self, text: &'g Text, hint: MessageContext<'g>) -> ParsedMessage {
        self.facts.messages().said(text, hint)
    }

    /// Takes the message of a condition of an object of some kind apart.
    pub fn said_by(&self, condition: &'g Condition, kind: &'g str) -> Option<ParsedMessage> {
        self.facts.messages().of_condition(condition, kind)
    }

    /// Returns the place of a range of a text's value.
    pub fn within(&self, text: &Text, range: Range<usize>) -> Span {
        self.facts.within(text, range)
    }

    /// Returns how much of a kind (by its name) the bundle holds in a namespace (`""` for cluster scope).
    pub fn listing(&self, kind: &str, namespace: &str) -> Listing {
        self.graph.listing(kind, namespace)
    }

    fn read(&self, kind: Kind) -> &'g Graph {
        self.note(kind);
        self.graph
    }

    /// Notes that the rule was served a kind.
    fn note(&self, kind: Kind) {
        self.reads.borrow_mut().asked.insert(kind);
    }

    /// Notes the kinds that a fact is made of.
    fn fact(&self, reads: &[Kind]) -> &'g Facts<'g> {
        self.reads.borrow_mut().by_facts.extend(reads);
        self.facts
    }

    /// Says whether a member cluster has left the fleet, as far as the bundle proves it.
    pub fn has_left(&self, member: &str) -> bool {
        self.read(Kind::MemberCluster).has_left(member)
    }

    /// Says whether a resource snapshot of a placement was pruned, as far as the bundle proves it.
    pub fn is_pruned(&self, namespace: &str, placement: &str, index: &str) -> bool {
        self.note(Kind::Placement);
        self.read(Kind::ResourceSnapshot).is_pruned(namespace, placement, index)
    }

    /// Returns all runs.
    pub fn runs(&self) -> &'g [Run] {
        self.read(Kind::Run).runs.as_slice()
    }

    /// Returns all strategies.
    pub fn strategies(&self) -> &'g [Strategy] {
        self.read(Kind::Strategy).strategies.as_slice()
    }

    /// Returns all approval requests.
    pub fn approval_requests(&self) -> &'g [ApprovalRequest] {
        self.read(Kind::ApprovalRequest).approvals.as_slice()
    }

    /// Returns all placements.
    pub fn placements(&self) -> &'g [Placement] {
        self.read(Kind::Placement).placements.as_slice()
    }

    /// Returns all bindings.
    pub fn bindings(&self) -> &'g [Binding] {
        self.read(Kind::Binding).bindings.as_slice()
    }

    /// Returns all resource snapshots.
    pub fn resource_snapshots(&self) -> &'g [ResourceSnapshot] {
        self.read(Kind::ResourceSnapshot).resource_snapshots.as_slice()
    }

    /// Returns all policy snapshots.
    pub fn policy_snapshots(&self) -> &'g [PolicySnapshot] {
        self.read(Kind::PolicySnapshot).policy_snapshots.as_slice()
    }

    /// Returns all overrides.
    pub fn overrides(&self) -> &'g [Override] {
        self.read(Kind::Override).overrides.as_slice()
    }

    /// Returns all override snapshots.
    pub fn override_snapshots(&self) -> &'g [Override] {
        self.read(Kind::OverrideSnapshot).override_snapshots.as_slice()
    }

    /// Returns all member clusters.
    pub fn members(&self) -> &'g [MemberCluster] {
        self.read(Kind::MemberCluster).members.as_slice()
    }

    /// Finds the placement that a run rolls out.
    pub fn find_placement(&self, run: &Run) -> Option<&'g Placement> {
        self.read(Kind::Placement).find_placement(run)
    }

    /// Finds the strategy that a run names.
    pub fn find_strategy(&self, run: &Run) -> Option<&'g Strategy> {
        self.read(Kind::Strategy).find_strategy(run)
    }

    /// Finds an approval request by its name in a run's scope.
    pub fn find_request(&self, run: &Run, name: &str) -> Option<&'g ApprovalRequest> {
        self.read(Kind::ApprovalRequest).find_request(run, name)
    }

    /// Returns the approval requests of a run.
    pub fn requests_of(&self, run: &Run) -> Vec<&'g ApprovalRequest> {
        self.read(Kind::ApprovalRequest).requests_of(run)
    }

    /// Finds the run that an approval request belongs to.
    pub fn find_run_of(&self, request: &ApprovalRequest) -> Option<&'g Run> {
        self.read(Kind::Run).find_run_of(request)
    }

    /// Returns the runs of a placement.
    pub fn runs_of(&self, namespace: &str, placement: &str) -> Vec<&'g Run> {
        self.read(Kind::Run).runs_of(namespace, placement)
    }

    /// Returns the bindings of a placement.
    pub fn bindings_of(&self, namespace: &str, placement: &str) -> Vec<&'g Binding> {
        self.read(Kind::Binding).bindings_of(namespace, placement)
    }

    /// Returns the bindings of a placement to a cluster.
    pub fn bindings_on(
        &self,
        namespace: &str,
        placement: &str,
        cluster: &str,
    ) -> impl Iterator<Item = &'g Binding> + use<'g> {
        self.read(Kind::Binding).bindings_on(namespace, placement, cluster)
    }

    /// Finds the binding by which a run works on a cluster.
    pub fn find_binding(&self, run: &Run, cluster: &str) -> Option<&'g Binding> {
        self.read(Kind::Binding).find_binding(run, cluster)
    }

    /// Finds a binding by its name as messages print it.
    pub fn find_binding_named(&self, path: &str) -> Option<&'g Binding> {
        self.read(Kind::Binding).find_binding_named(path)
    }

    /// Returns the resource snapshots of a placement.
    pub fn snapshots_of(&self, namespace: &str, placement: &str) -> Vec<&'g ResourceSnapshot> {
        self.read(Kind::ResourceSnapshot).snapshots_of(namespace, placement)
    }

    /// Returns the policy snapshots of a placement.
    pub fn policies_of(&self, namespace: &str, placement: &str) -> Vec<&'g PolicySnapshot> {
        self.read(Kind::PolicySnapshot).policies_of(namespace, placement)
    }

    /// Finds the latest policy snapshot of a placement.
    pub fn find_latest_policy(
        &self,
        namespace: &str,
        placement: &str,
    ) -> Option<&'g PolicySnapshot> {
        self.read(Kind::PolicySnapshot).find_latest_policy(namespace, placement)
    }

    /// Finds a member cluster.
    pub fn find_member(&self, name: &str) -> Option<&'g MemberCluster> {
        self.read(Kind::MemberCluster).find_member(name)
    }
}
