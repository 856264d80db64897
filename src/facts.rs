//! Facts: what rules start from, each computed once, on first use, and shared by all rules.
//!
//! Owns what follows from the graph without judging anybody: resources that were not done, rollouts that are
//! blocked, workloads that are not available. Beside each fact stands `READS`, the kinds that it is made of.
//! Invariant: a fact is computed on one thread. A thread that waits inside rayon may take up another rule, which
//! would ask for the fact that is just being computed; what pays to be computed in parallel is prepared before
//! the rules run.

pub mod blocked_rollout;
pub mod difference;
pub mod failure;
pub mod messages;
pub mod refusal;
pub mod unavailable_workload;

use std::sync::OnceLock;

use crate::bundle::Bundle;
use crate::graph::Graph;
use blocked_rollout::BlockedRollout;
use difference::Difference;
use failure::Failure;
use messages::Messages;
use refusal::Refusal;
use unavailable_workload::UnavailableWorkload;

/// The facts of a bundle.
#[derive(Debug)]
pub struct Facts<'g> {
    graph: &'g Graph,
    bundle: &'g Bundle,
    messages: Messages<'g>,
    failures: OnceLock<Vec<Failure>>,
    blocked_rollouts: OnceLock<Vec<BlockedRollout>>,
    differences: OnceLock<Vec<Difference>>,
    unavailable_workloads: OnceLock<Vec<UnavailableWorkload<'g>>>,
    refusals: OnceLock<Vec<Refusal>>,
}

impl<'g> Facts<'g> {
    /// Opens the facts of a bundle; nothing is computed yet.
    pub fn new(graph: &'g Graph, bundle: &'g Bundle) -> Self {
        Self {
            graph,
            bundle,
            messages: Messages::default(),
            failures: OnceLock::new(),
            blocked_rollouts: OnceLock::new(),
            differences: OnceLock::new(),
            unavailable_workloads: OnceLock::new(),
            refusals: OnceLock::new(),
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

    /// Returns every resource that a placement could not get done on a cluster, by placement, cluster and object.
    pub fn failures(&self) -> &[Failure] {
        self.failures.get_or_init(|| failure::find_failures(self.graph, &self.messages))
    }

    /// Returns the placements that are not done on a cluster, by placement and cluster.
    pub fn blocked_rollouts(&self) -> &[BlockedRollout] {
        self.blocked_rollouts
            .get_or_init(|| blocked_rollout::find_blocked_rollouts(self.graph, &self.messages))
    }

    /// Returns the differences between hub and member that stop nothing.
    pub fn differences(&self) -> &[Difference] {
        self.differences.get_or_init(|| difference::find_differences(self.graph, self.failures()))
    }

    /// Returns the workloads that are not available on members.
    pub fn unavailable_workloads(&'g self) -> &'g [UnavailableWorkload<'g>] {
        self.unavailable_workloads
            .get_or_init(|| unavailable_workload::find_unavailable(self.graph, self.failures()))
    }

    /// Returns what members refused, and why.
    pub fn refusals(&'g self) -> &'g [Refusal] {
        self.refusals.get_or_init(|| {
            refusal::find_refusals(self.failures(), self.unavailable_workloads(), &self.messages)
        })
    }
}
