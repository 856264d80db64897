//! [`Kind`]: the families of kinds that rules and readers speak of.
//!
//! Owns the list of families and their names. Which kinds belong to a family is left to the index.

use super::{KindSpec, Scope, all_kinds};

macro_rules! families {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// A family of kinds: cluster-scoped and namespaced twins are one.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Kind {
            $($(#[$doc])* $name,)*
        }

        impl Kind {
            /// Returns the name of the family.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($name),)*
                }
            }
        }
    };
}

families! {
    /// ClusterStagedUpdateRun, StagedUpdateRun.
    Run,
    /// ClusterStagedUpdateStrategy, StagedUpdateStrategy.
    Strategy,
    /// ClusterApprovalRequest, ApprovalRequest.
    ApprovalRequest,
    /// ClusterResourcePlacement, ResourcePlacement.
    Placement,
    /// ClusterResourcePlacementStatus, the copy of a placement's status in a namespace.
    PlacementStatus,
    /// ClusterResourceBinding, ResourceBinding.
    Binding,
    /// ClusterResourceSnapshot, ResourceSnapshot.
    ResourceSnapshot,
    /// ClusterSchedulingPolicySnapshot, SchedulingPolicySnapshot.
    PolicySnapshot,
    /// ClusterResourceOverride, ResourceOverride.
    Override,
    /// ClusterResourceOverrideSnapshot, ResourceOverrideSnapshot.
    OverrideSnapshot,
    /// ClusterResourceEnvelope, ResourceEnvelope.
    Envelope,
    /// ClusterResourcePlacementEviction.
    Eviction,
    /// ClusterResourcePlacementDisruptionBudget.
    DisruptionBudget,
    /// Work.
    Work,
    /// AppliedWork.
    AppliedWork,
    /// MemberCluster.
    MemberCluster,
    /// InternalMemberCluster.
    InternalMemberCluster,
    /// ClusterPlacementPolicy, PlacementPolicy of the next API.
    PlacementPolicy,
    /// ClusterRequest of the next API.
    ClusterRequest,
    /// Pod.
    Pod,
    /// Deployment.
    Deployment,
    /// ReplicaSet.
    ReplicaSet,
    /// StatefulSet.
    StatefulSet,
    /// DaemonSet.
    DaemonSet,
    /// Job.
    Job,
    /// CronJob.
    CronJob,
    /// Service.
    Service,
    /// PersistentVolumeClaim.
    PersistentVolumeClaim,
    /// Namespace.
    Namespace,
    /// Node.
    Node,
    /// ResourceQuota.
    ResourceQuota,
    /// Event.
    Event,
    /// ConfigMap.
    ConfigMap,
    /// Secret.
    Secret,
    /// PodDisruptionBudget.
    PodDisruptionBudget,
    /// Lease.
    Lease,
    /// CustomResourceDefinition.
    CustomResourceDefinition,
    /// Any other kind of Kubernetes: known by name and scope only.
    Other,
}

impl Kind {
    /// Returns the kinds of the family, the cluster-scoped one first.
    pub fn specs(self) -> impl Iterator<Item = &'static KindSpec> {
        all_kinds().iter().filter(move |spec| spec.family == self)
    }

    /// Returns the name of the kind whose objects live in a namespace, or in cluster scope if that is `""`.
    pub fn in_namespace(self, namespace: &str) -> &'static str {
        self.in_scope(if namespace.is_empty() { Scope::Cluster } else { Scope::Namespaced })
    }

    /// Returns the name of the kind whose objects live in a scope.
    ///
    /// A family that lives in one scope only has the same name everywhere.
    pub fn in_scope(self, scope: Scope) -> &'static str {
        let twin = self.specs().find(|spec| spec.scope == scope);
        twin.or_else(|| self.specs().next()).map_or(self.name(), |spec| spec.name)
    }
}
