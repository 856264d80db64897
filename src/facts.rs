//! Facts: what rules start from, each computed once, on first use, and shared by all rules.
//!
//! Owns what follows from the graph without judging anybody: resources that were not done, rollouts that are
//! blocked, workloads that are not available. Beside each fact stands `READS`, the kinds that it is made of.
//! Invariant: a fact is computed on one thread. A thread that waits inside rayon may take up another rule, which
//! would ask for the fact that is just being computed; what pays to be computed in parallel is prepared before
//! the rules run.

pub mod after_repair;
pub mod binding_history;
pub mod blocked_rollout;
pub mod broken_override;
pub mod container_log;
pub mod difference;
pub mod empty_selector;
pub mod failure;
pub mod gate;
pub mod heartbeat;
pub mod held_rollout;
pub mod messages;
pub mod new_run;
pub mod override_targets;
pub mod pending_placement;
pub mod refusal;
pub mod refused_selection;
pub mod shortage;
pub mod timer;
pub mod unavailable_workload;
pub mod unhealthy_condition;
pub mod waiting_cluster;

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::OnceLock;

use smol_str::SmolStr;

use crate::bundle::Bundle;
use crate::finding::{Outlook, Step};
use crate::graph::Graph;
use crate::model::key::ObjectKey;
use crate::model::placement::Placement;
use crate::model::read::Text;
use crate::model::run::Run;
use crate::source::Span;
use crate::syntax::subspan::span_within;
use crate::syntax::tree::{Node, Value};
use after_repair::Repair;
use binding_history::History;
use blocked_rollout::BlockedRollout;
use broken_override::BrokenOverride;
use container_log::{ContainerLog, ContainerName, LogEnd};
use difference::ResourceDifference;
use empty_selector::EmptySelector;
use failure::Failure;
use gate::Gate;
use heartbeat::MemberHeartbeat;
use held_rollout::HeldRollout;
use messages::Messages;
use new_run::{NewRunVersion, Order};
use pending_placement::PendingPlacement;
use refusal::Refusal;
use refused_selection::RefusedSelection;
use shortage::Shortage;
use timer::Timer;
use unavailable_workload::UnavailableWorkload;
use waiting_cluster::WaitingCluster;

/// The facts of a bundle.
#[derive(Debug)]
pub struct Facts<'g> {
    graph: &'g Graph,
    bundle: &'g Bundle,
    messages: Messages<'g>,
    failures: OnceLock<Vec<Failure>>,
    enveloped: OnceLock<BTreeSet<[SmolStr; 3]>>,
    blocked_rollouts: OnceLock<Vec<BlockedRollout>>,
    differences: OnceLock<Vec<ResourceDifference>>,
    unavailable_workloads: OnceLock<Vec<UnavailableWorkload<'g>>>,
    refusals: OnceLock<Vec<Refusal>>,
    open_gates: OnceLock<Vec<Gate<'g>>>,
    timers: OnceLock<Vec<Timer<'g>>>,
    waiting_clusters: OnceLock<Vec<WaitingCluster<'g>>>,
    pulses: OnceLock<Vec<MemberHeartbeat<'g>>>,
    history: OnceLock<History<'g>>,
    pending_placements: OnceLock<Vec<PendingPlacement<'g>>>,
    shortages: OnceLock<Vec<Shortage<'g>>>,
    refused_selections: OnceLock<Vec<RefusedSelection<'g>>>,
    empty_selectors: OnceLock<Vec<EmptySelector<'g>>>,
    held_rollouts: OnceLock<Vec<HeldRollout<'g>>>,
    broken_overrides: OnceLock<Vec<BrokenOverride<'g>>>,
    container_logs: OnceLock<Vec<ContainerLog<'g>>>,
}

impl<'g> Facts<'g> {
    /// Opens the facts of a bundle; nothing is computed yet.
    pub fn new(graph: &'g Graph, bundle: &'g Bundle) -> Self {
        Self {
            graph,
            bundle,
            messages: Messages::default(),
            failures: OnceLock::new(),
            enveloped: OnceLock::new(),
            blocked_rollouts: OnceLock::new(),
            differences: OnceLock::new(),
            unavailable_workloads: OnceLock::new(),
            refusals: OnceLock::new(),
            open_gates: OnceLock::new(),
            timers: OnceLock::new(),
            waiting_clusters: OnceLock::new(),
            pulses: OnceLock::new(),
            history: OnceLock::new(),
            pending_placements: OnceLock::new(),
            shortages: OnceLock::new(),
            refused_selections: OnceLock::new(),
            empty_selectors: OnceLock::new(),
            held_rollouts: OnceLock::new(),
            broken_overrides: OnceLock::new(),
            container_logs: OnceLock::new(),
        }
    }

    /// Returns the graph that the facts are made of.
    pub fn graph(&self) -> &'g Graph {
        self.graph
    }

    /// Returns what was read, before it meant anything.
    pub fn bundle(&self) -> &'g Bundle {
        self.bundle
    }

    /// Returns the messages of the bundle, taken apart once.
    pub fn messages(&self) -> &Messages<'g> {
        &self.messages
    }

    /// Returns the place of a range of a text's value.
    pub fn within(&self, text: &Text, range: Range<usize>) -> Span {
        let source = self.bundle.sources.get(text.span.source);
        let value = Value::String(text.value.clone());
        let node = Node { style: text.style, ..Node::new(text.span, value) };
        span_within(source, &node, range)
    }

    /// Returns the gates that hold runs.
    pub fn open_gates(&self) -> &[Gate<'g>] {
        self.open_gates.get_or_init(|| gate::find_open_gates(self.graph))
    }

    /// Returns the timed waits of all runs.
    pub fn timers(&self) -> &[Timer<'g>] {
        self.timers.get_or_init(|| timer::find_timers(self.open_gates()))
    }

    /// Returns the clusters that runs wait for.
    pub fn waiting_clusters(&self) -> &[WaitingCluster<'g>] {
        self.waiting_clusters.get_or_init(|| waiting_cluster::find_waiting_clusters(self))
    }

    /// Returns the pulse of every member.
    pub fn pulses(&self) -> &[MemberHeartbeat<'g>] {
        self.pulses.get_or_init(|| heartbeat::find_pulses(self.graph))
    }

    /// Returns who wrote which binding when.
    pub fn history(&self) -> &History<'g> {
        self.history.get_or_init(|| binding_history::find_history(self.graph, &self.messages))
    }

    /// Says what becomes of a run once its cause is repaired.
    pub fn outlook_of_run(&self, run: &Run, repair: Repair) -> Outlook {
        after_repair::of_run(self, run, repair)
    }

    /// Returns the steps to a new run that replaces another one.
    pub fn new_run(&self, run: &Run, order: &Order<'_>) -> Vec<Step> {
        new_run::steps(self.graph, run, order)
    }

    /// Returns the steps to a run of a placement.
    pub fn run_for(&self, placement: &Placement, order: &Order<'_>) -> Vec<Step> {
        new_run::steps_for(self.graph, placement, order)
    }

    /// Says what becomes of a placement on some clusters once its cause is repaired.
    pub fn outlook(&self, placement: &ObjectKey, clusters: &[&str], repair: Repair) -> Outlook {
        after_repair::of_placement(self, placement, clusters, repair)
    }

    /// Says what becomes of a run once its cause is repaired, where a new run is to roll out a version of its own.
    pub fn outlook_at(&self, run: &Run, repair: Repair, version: NewRunVersion<'_>) -> Outlook {
        after_repair::at_version(self, run, repair, version)
    }

    /// Returns the placements whose scheduling is pending.
    pub fn pending_placements(&self) -> &[PendingPlacement<'g>] {
        self.pending_placements.get_or_init(|| pending_placement::find_pending(self.graph))
    }

    /// Returns the placements that got fewer clusters than their policy wants.
    pub fn shortages(&self) -> &[Shortage<'g>] {
        self.shortages.get_or_init(|| shortage::find_shortages(self.graph, &self.messages))
    }

    /// Returns the placements whose selectors are refused.
    pub fn refused_selections(&self) -> &[RefusedSelection<'g>] {
        self.refused_selections
            .get_or_init(|| refused_selection::find_refused_selections(self.graph, &self.messages))
    }

    /// Returns the selectors that match nothing.
    pub fn empty_selectors(&self) -> &[EmptySelector<'g>] {
        self.empty_selectors.get_or_init(|| empty_selector::find_empty_selectors(self.graph))
    }

    /// Returns the rolling updates that their budget holds back.
    pub fn held_rollouts(&self) -> &[HeldRollout<'g>] {
        self.held_rollouts.get_or_init(|| held_rollout::find_held_rollouts(self.graph))
    }

    /// Returns the overrides that could not be applied.
    pub fn broken_overrides(&'g self) -> &'g [BrokenOverride<'g>] {
        self.broken_overrides.get_or_init(|| {
            broken_override::find_broken_overrides(self.graph, self.blocked_rollouts())
        })
    }

    /// Finds what a container of a workload wrote near its end.
    pub fn find_log_end(&self, name: &ContainerName<'_>) -> Option<LogEnd> {
        let logs = || container_log::find_container_logs(self.bundle);
        container_log::find_end(self.container_logs.get_or_init(logs), self.graph, name)
    }

    /// Returns every resource that a placement could not get done on a cluster, by placement, cluster and object.
    pub fn failures(&self) -> &[Failure] {
        self.failures.get_or_init(|| failure::find_failures(self.graph, &self.messages))
    }

    /// Says whether an object that could not be got done came in an envelope, on whatever member.
    pub fn is_enveloped(&self, object: &ObjectKey) -> bool {
        let name = |key: &ObjectKey| [&key.kind, &key.namespace, &key.name].map(SmolStr::clone);
        let wrapped = || self.failures().iter().filter(|failure| failure.envelope.is_some());
        let names = || wrapped().map(|failure| name(&failure.object)).collect();
        self.enveloped.get_or_init(names).contains(&name(object))
    }

    /// Returns the placements that are not done on a cluster, by placement and cluster.
    pub fn blocked_rollouts(&self) -> &[BlockedRollout] {
        self.blocked_rollouts
            .get_or_init(|| blocked_rollout::find_blocked_rollouts(self.graph, &self.messages))
    }

    /// Returns the differences between hub and member that stop nothing.
    pub fn differences(&self) -> &[ResourceDifference] {
        self.differences.get_or_init(|| difference::find_differences(self.graph, self.failures()))
    }

    /// Returns the workloads that are not available on members.
    pub fn unavailable_workloads(&'g self) -> &'g [UnavailableWorkload<'g>] {
        self.unavailable_workloads.get_or_init(|| {
            unavailable_workload::find_unavailable(
                self.graph,
                self.failures(),
                self.waiting_clusters(),
            )
        })
    }

    /// Returns what members refused, and why.
    pub fn refusals(&'g self) -> &'g [Refusal] {
        self.refusals.get_or_init(|| {
            refusal::find_refusals(self.failures(), self.unavailable_workloads(), &self.messages)
        })
    }
}
