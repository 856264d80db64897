//! Joins: from one object to the objects it names, by label, field and name rules.
//!
//! Everything about runs happens within one scope: a run works on the kinds of its own scope and, if
//! namespaced, of its own namespace (KubeFleet pkg/controllers/updaterun, all resolvers).

use super::Graph;
use super::children::Children;
use super::index::Index;
use crate::model::approval::ApprovalRequest;
use crate::model::binding::Binding;
use crate::model::cluster::{InternalMember, MemberCluster};
use crate::model::placement::Placement;
use crate::model::run::Run;
use crate::model::snapshot::{PolicySnapshot, ResourceSnapshot};
use crate::model::strategy::Strategy;
use crate::model::work::Work;

/// The objects of a graph by what they name.
#[derive(Debug, Default)]
pub(super) struct Joins {
    requests_of_run: Index<ApprovalRequest>,
    runs_of_placement: Index<Run>,
    bindings_of_placement: Index<Binding>,
    bindings_on_cluster: Index<Binding>,
    snapshots_of_placement: Index<ResourceSnapshot>,
    policies_of_placement: Index<PolicySnapshot>,
    works_of_cluster: Index<Work>,
    internal_members: Index<InternalMember>,
    pub(super) workloads_by_parent: Children,
    pub(super) pods_by_parent: Children,
}

impl Joins {
    /// Indexes the families of a graph.
    pub(super) fn of(graph: &Graph) -> Self {
        Self {
            requests_of_run: Index::new(graph.approvals.as_slice(), |request| {
                Some([request.meta.namespace(), request.run_name()?, ""])
            }),
            runs_of_placement: Index::new(graph.runs.as_slice(), |run| {
                Some([run.meta.namespace(), run.placement.as_deref()?, ""])
            }),
            bindings_of_placement: Index::new(graph.bindings.as_slice(), |binding| {
                Some([binding.meta.namespace(), binding.placement()?, ""])
            }),
            bindings_on_cluster: Index::new(graph.bindings.as_slice(), |binding| {
                Some([binding.meta.namespace(), binding.placement()?, binding.cluster()])
            }),
            snapshots_of_placement: Index::new(graph.resource_snapshots.as_slice(), |snapshot| {
                Some([snapshot.meta.namespace(), snapshot.placement()?, ""])
            }),
            policies_of_placement: Index::new(graph.policy_snapshots.as_slice(), |snapshot| {
                Some([snapshot.meta.namespace(), snapshot.placement()?, ""])
            }),
            internal_members: Index::new(graph.internal_members.as_slice(), |internal| {
                Some([internal.meta.name(), "", ""])
            }),
            works_of_cluster: Index::new(graph.works.as_slice(), |work| {
                Some([work.cluster(), "", ""])
            }),
            workloads_by_parent: Children::new(graph.workloads.as_slice()),
            pods_by_parent: Children::new(graph.pods.as_slice()),
        }
    }
}

impl Graph {
    /// Finds the placement that a run rolls out.
    pub fn find_placement(&self, run: &Run) -> Option<&Placement> {
        self.placements.find_named(run.meta.namespace(), run.placement.as_deref()?)
    }

    /// Finds the strategy that a run names.
    pub fn find_strategy(&self, run: &Run) -> Option<&Strategy> {
        self.strategies.find_named(run.meta.namespace(), run.strategy.as_deref()?)
    }

    /// Finds an approval request by its name in a run's scope.
    pub fn find_request(&self, run: &Run, name: &str) -> Option<&ApprovalRequest> {
        self.approvals.find_named(run.meta.namespace(), name)
    }

    /// Returns the approval requests of a run.
    pub fn requests_of<'g>(&'g self, run: &Run) -> Vec<&'g ApprovalRequest> {
        let key = [run.meta.namespace(), run.meta.name(), ""];
        self.joins.requests_of_run.find(self.approvals.as_slice(), key).collect()
    }

    /// Finds the run that an approval request belongs to.
    pub fn find_run_of(&self, request: &ApprovalRequest) -> Option<&Run> {
        // Of two runs of one name in a paste, the one that has not ended is the one that waits.
        let named = self.runs.all_named(request.meta.namespace(), request.run_name()?);
        named.min_by_key(|run| run.is_terminal())
    }

    /// Returns the runs of a placement.
    pub fn runs_of<'g>(&'g self, namespace: &str, placement: &str) -> Vec<&'g Run> {
        let key = [namespace, placement, ""];
        self.joins.runs_of_placement.find(self.runs.as_slice(), key).collect()
    }

    /// Returns the bindings of a placement.
    pub fn bindings_of<'g>(&'g self, namespace: &str, placement: &str) -> Vec<&'g Binding> {
        let key = [namespace, placement, ""];
        self.joins.bindings_of_placement.find(self.bindings.as_slice(), key).collect()
    }

    /// Returns the bindings of a placement to a cluster: more than one while one of them goes away.
    pub fn bindings_on<'g>(
        &'g self,
        namespace: &str,
        placement: &str,
        cluster: &str,
    ) -> impl Iterator<Item = &'g Binding> + use<'g> {
        let key = [namespace, placement, cluster];
        self.joins.bindings_on_cluster.find(self.bindings.as_slice(), key)
    }

    /// Finds the binding by which a run works on a cluster; one that is not being deleted wins.
    pub fn find_binding(&self, run: &Run, cluster: &str) -> Option<&Binding> {
        let here = self.bindings_on(run.meta.namespace(), run.placement.as_deref()?, cluster);
        here.min_by_key(|binding| binding.meta.deleting.is_some())
    }

    /// Finds a binding by its name as messages print it, `namespace/name` or the bare name.
    pub fn find_binding_named(&self, path: &str) -> Option<&Binding> {
        let (namespace, name) = path.split_once('/').unwrap_or(("", path));
        self.bindings.find_named(namespace, name)
    }

    /// Returns the resource snapshots of a placement.
    pub fn snapshots_of<'g>(
        &'g self,
        namespace: &str,
        placement: &str,
    ) -> Vec<&'g ResourceSnapshot> {
        let key = [namespace, placement, ""];
        let snapshots = self.resource_snapshots.as_slice();
        self.joins.snapshots_of_placement.find(snapshots, key).collect()
    }

    /// Returns the policy snapshots of a placement.
    pub fn policies_of<'g>(&'g self, namespace: &str, placement: &str) -> Vec<&'g PolicySnapshot> {
        let key = [namespace, placement, ""];
        self.joins.policies_of_placement.find(self.policy_snapshots.as_slice(), key).collect()
    }

    /// Finds the hub's side of a member's agent, by the member's name.
    pub fn find_internal_member(&self, name: &str) -> Option<&InternalMember> {
        let key = [name, "", ""];
        self.joins.internal_members.find(self.internal_members.as_slice(), key).next()
    }

    /// Returns the Works of a member.
    pub fn works_of<'g>(&'g self, cluster: &str) -> impl Iterator<Item = &'g Work> + use<'g> {
        self.joins.works_of_cluster.find(self.works.as_slice(), [cluster, "", ""])
    }

    /// Finds the latest policy snapshot of a placement, by label.
    pub fn find_latest_policy(&self, namespace: &str, placement: &str) -> Option<&PolicySnapshot> {
        self.policies_of(namespace, placement).into_iter().find(|snapshot| snapshot.is_latest())
    }

    /// Finds a member cluster.
    pub fn find_member(&self, name: &str) -> Option<&MemberCluster> {
        self.members.find_named("", name)
    }
}
