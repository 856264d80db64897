//! Joins: from one object to the objects it names, by label, field and name rules.
//!
//! Everything about runs happens within one scope: a run works on the kinds of its own scope and, if
//! namespaced, of its own namespace (KubeFleet pkg/controllers/updaterun, all resolvers).

use super::{Graph, HasMeta};
use crate::model::approval::ApprovalRequest;
use crate::model::binding::Binding;
use crate::model::cluster::MemberCluster;
use crate::model::placement::Placement;
use crate::model::run::Run;
use crate::model::snapshot::{PolicySnapshot, ResourceSnapshot, is_latest};
use crate::model::strategy::Strategy;

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
        let of = |request: &&ApprovalRequest| {
            request.meta.namespace() == run.meta.namespace()
                && request.run_name() == Some(run.meta.name())
        };
        self.approvals.as_slice().iter().filter(of).collect()
    }

    /// Finds the run that an approval request belongs to.
    pub fn find_run_of(&self, request: &ApprovalRequest) -> Option<&Run> {
        let name = request.run_name()?;
        let named = self.runs.as_slice().iter().filter(|run| {
            *run.key().name == *name && *run.key().namespace == *request.meta.namespace()
        });
        // Of two runs of one name in a paste, the one that has not ended is the one that waits.
        named.min_by_key(|run| run.is_terminal())
    }

    /// Returns the runs of a placement.
    pub fn runs_of<'g>(&'g self, namespace: &str, placement: &str) -> Vec<&'g Run> {
        let of = |run: &&Run| {
            run.meta.namespace() == namespace && run.placement.as_deref() == Some(placement)
        };
        self.runs.as_slice().iter().filter(of).collect()
    }

    /// Returns the bindings of a placement.
    pub fn bindings_of<'g>(&'g self, namespace: &str, placement: &str) -> Vec<&'g Binding> {
        let of = |binding: &&Binding| {
            binding.meta.namespace() == namespace && binding.placement() == Some(placement)
        };
        self.bindings.as_slice().iter().filter(of).collect()
    }

    /// Finds the binding by which a run works on a cluster; one that is not being deleted wins.
    pub fn find_binding(&self, run: &Run, cluster: &str) -> Option<&Binding> {
        let bindings = self.bindings_of(run.meta.namespace(), run.placement.as_deref()?);
        let here = bindings.into_iter().filter(|binding| binding.cluster() == cluster);
        here.min_by_key(|binding| binding.meta.deleting.is_some())
    }

    /// Returns the resource snapshots of a placement.
    pub fn snapshots_of<'g>(
        &'g self,
        namespace: &str,
        placement: &str,
    ) -> Vec<&'g ResourceSnapshot> {
        let of = |snapshot: &&ResourceSnapshot| {
            snapshot.meta.namespace() == namespace && snapshot.placement() == Some(placement)
        };
        self.resource_snapshots.as_slice().iter().filter(of).collect()
    }

    /// Returns the policy snapshots of a placement.
    pub fn policies_of<'g>(&'g self, namespace: &str, placement: &str) -> Vec<&'g PolicySnapshot> {
        let of = |snapshot: &&PolicySnapshot| {
            snapshot.meta.namespace() == namespace && snapshot.placement() == Some(placement)
        };
        self.policy_snapshots.as_slice().iter().filter(of).collect()
    }

    /// Finds the latest policy snapshot of a placement, by label.
    pub fn find_latest_policy(&self, namespace: &str, placement: &str) -> Option<&PolicySnapshot> {
        self.policies_of(namespace, placement)
            .into_iter()
            .find(|snapshot| is_latest(&snapshot.meta))
    }

    /// Finds a member cluster.
    pub fn find_member(&self, name: &str) -> Option<&MemberCluster> {
        self.members.as_slice().iter().find(|member| *member.key().name == *name)
    }
}
