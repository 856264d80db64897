//! What fields of KubeFleet's kinds mean, and who writes them.

use crate::grammar::kind::{Author, Kind, KindSpec};

/// The fields that people ask about: their kind, their path, what they mean.
const MEANINGS: &[(Kind, &str, &str)] = &[
    (
        Kind::Run,
        "spec.placementName",
        "The placement that the run rolls out. It must have strategy External and the scope of the run.",
    ),
    (
        Kind::Run,
        "spec.stagedRolloutStrategyName",
        "The strategy that is copied into the status when the run starts. Later edits of the strategy do not count for this run.",
    ),
    (
        Kind::Run,
        "spec.resourceSnapshotIndex",
        "The resource snapshot to roll out, compared as text with the label of the snapshot. Without it the run takes what is on the hub.",
    ),
    (
        Kind::Run,
        "spec.state",
        "What the run is told to do: Initialize only prepares it, Run rolls out, Stop holds it after the clusters in flight.",
    ),
    (
        Kind::Run,
        "status.policySnapshotIndexUsed",
        "The policy snapshot that was the latest when the run started. A newer one ends the run.",
    ),
    (
        Kind::Run,
        "status.policyObservedClusterCount",
        "How many clusters the policy wanted when the run started. Another number ends the run.",
    ),
    (
        Kind::Run,
        "status.resourceSnapshotIndexUsed",
        "The resource snapshot that the run rolls out.",
    ),
    (
        Kind::Run,
        "status.stagedUpdateStrategySnapshot",
        "The copy of the strategy that the run works by.",
    ),
    (
        Kind::Run,
        "status.appliedStrategy",
        "The copy of the placement's applyStrategy. Another one on the placement ends the run.",
    ),
    (
        Kind::Run,
        "status.stagesStatus",
        "One entry per stage, in the order of the strategy: its clusters, its gates, when it started and ended.",
    ),
    (
        Kind::Run,
        "status.stagesStatus.clusters",
        "The clusters of the stage, in the order in which they are updated, each with Started and Succeeded.",
    ),
    (
        Kind::Run,
        "status.stagesStatus.conditions",
        "Progressing and Succeeded of the stage. A run that fails in a check between stages leaves them as they are.",
    ),
    (
        Kind::Run,
        "status.stagesStatus.beforeStageTaskStatus",
        "The gates before the stage. Clusters start when all of them are open.",
    ),
    (
        Kind::Run,
        "status.stagesStatus.afterStageTaskStatus",
        "The gates after the stage. The next stage starts when all of them are open.",
    ),
    (
        Kind::Run,
        "status.deletionStageStatus",
        "The last stage: it removes the resources from clusters that are no longer picked.",
    ),
    (
        Kind::Run,
        "status.conditions",
        "Initialized, Progressing and Succeeded of the run. Succeeded False is final.",
    ),
    (Kind::Strategy, "spec.stages", "The stages of a rollout, in order."),
    (
        Kind::Strategy,
        "spec.stages.labelSelector",
        "Which picked clusters are in the stage, by labels of their MemberClusters. Each picked cluster must be in exactly one stage.",
    ),
    (
        Kind::Strategy,
        "spec.stages.sortingLabelKey",
        "The label by whose whole number clusters of the stage are ordered. Every cluster of the stage needs it.",
    ),
    (
        Kind::Strategy,
        "spec.stages.maxConcurrency",
        "How many clusters of the stage are updated at once, as a number or a share; 1 if absent.",
    ),
    (
        Kind::Strategy,
        "spec.stages.beforeStageTasks",
        "What has to happen before the stage: an approval.",
    ),
    (
        Kind::Strategy,
        "spec.stages.afterStageTasks",
        "What has to happen after the stage: an approval, a timed wait, or both.",
    ),
    (Kind::ApprovalRequest, "spec.parentStageRollout", "The run that waits at the gate."),
    (Kind::ApprovalRequest, "spec.targetStage", "The stage at whose gate the run waits."),
    (
        Kind::ApprovalRequest,
        "status.conditions",
        "Approved is given by a person, ApprovalAccepted by the controller. Approved counts only if its observedGeneration is the generation of the request.",
    ),
    (
        Kind::ApprovalRequest,
        "status.conditions.observedGeneration",
        "The generation of the request that the approval is for. One that is absent counts as 0, and then the approval does not count.",
    ),
    (Kind::Placement, "spec.resourceSelectors", "What is placed: objects by kind, name or label."),
    (
        Kind::Placement,
        "spec.policy",
        "Which clusters are picked: all that fit, a number of them, or a fixed list.",
    ),
    (
        Kind::Placement,
        "spec.policy.placementType",
        "PickAll takes every cluster that fits, PickN a number of them, PickFixed the clusters that it names.",
    ),
    (
        Kind::Placement,
        "spec.policy.numberOfClusters",
        "How many clusters a PickN policy wants. Scheduled stays False until all are found.",
    ),
    (
        Kind::Placement,
        "spec.policy.clusterNames",
        "The clusters of a PickFixed policy. Scheduled stays False while one of them is not in the fleet.",
    ),
    (
        Kind::Placement,
        "spec.strategy.type",
        "Who rolls out: RollingUpdate is done by the hub agent itself, External by runs. External cannot be taken back.",
    ),
    (
        Kind::Placement,
        "spec.strategy.rollingUpdate.maxUnavailable",
        "How many clusters may be unavailable during a rolling update. With 0 nothing is ever updated in place.",
    ),
    (
        Kind::Placement,
        "spec.strategy.applyStrategy",
        "How the member agent applies: which side wins, whether it takes over what is there, or only compares.",
    ),
    (
        Kind::Placement,
        "status.placementStatuses",
        "One entry per cluster, with the conditions of that cluster and the resources that failed there.",
    ),
    (
        Kind::Placement,
        "status.placementStatuses.failedPlacements",
        "The resources that were not applied or are not available on the cluster, each with the reason.",
    ),
    (
        Kind::Placement,
        "status.conditions",
        "How far the placement is as a whole: Scheduled, RolloutStarted, Overridden, WorkSynchronized, Applied, Available.",
    ),
    (
        Kind::Binding,
        "spec.state",
        "Scheduled is picked, Bound is rolled out, Unscheduled is to be removed.",
    ),
    (
        Kind::Binding,
        "spec.resourceSnapshotName",
        "The snapshot that the cluster is to have. The last run that writes it wins.",
    ),
    (Kind::Binding, "spec.targetCluster", "The cluster that the binding is for."),
    (
        Kind::Binding,
        "status.conditions",
        "How far the cluster is. RolloutStarted names the run that wrote the binding last.",
    ),
    (Kind::Work, "spec.workload", "The manifests for one member cluster."),
    (
        Kind::Work,
        "status.manifestConditions",
        "What became of each manifest on the member cluster.",
    ),
    (
        Kind::Work,
        "status.conditions",
        "Applied and Available over all manifests. An observedGeneration below the generation means that the member agent has not processed the Work.",
    ),
    (
        Kind::MemberCluster,
        "spec.taints",
        "Keep the scheduler from picking the cluster, unless a placement tolerates them. What is placed stays.",
    ),
    (
        Kind::MemberCluster,
        "status.agentStatus",
        "What the member agent last reported. Joined and Healthy stay True when the agent falls silent.",
    ),
    (
        Kind::MemberCluster,
        "status.agentStatus.lastReceivedHeartbeat",
        "The last sign of life of the member agent. The scheduler skips a cluster after five minutes without one.",
    ),
    (Kind::Eviction, "spec.placementName", "The placement that is to leave the cluster."),
    (Kind::Eviction, "spec.clusterName", "The cluster that the placement is to leave."),
    (
        Kind::DisruptionBudget,
        "spec.minAvailable",
        "How many clusters of the placement must stay available during an eviction.",
    ),
    (
        Kind::DisruptionBudget,
        "spec.maxUnavailable",
        "How many clusters of the placement may be unavailable during an eviction.",
    ),
    (
        Kind::PolicySnapshot,
        "status.targetClusters",
        "The decision of the scheduler for each cluster, with its reason.",
    ),
];

/// Returns what a field means; a field without words of its own takes those of the field that holds it.
pub(super) fn of(family: Kind, steps: &[&str]) -> Option<&'static str> {
    let path = steps.join(".");
    let known = MEANINGS.iter().find(|(kind, known, _)| *kind == family && *known == path);
    known.map(|(.., means)| *means)
}

/// Says who writes a field.
pub(super) fn writer(spec: &KindSpec, steps: &[&str]) -> &'static str {
    let status = steps.first() == Some(&"status");
    match (spec.family, status) {
        (Kind::ApprovalRequest, true) => {
            "a person or pipeline (Approved) and the hub agent (ApprovalAccepted)"
        }
        (Kind::Work | Kind::InternalMemberCluster, true) | (Kind::AppliedWork, _) => {
            "the member agent"
        }
        (Kind::MemberCluster, true) => "the hub agent, from what the member agent reports",
        (Kind::PolicySnapshot, true) => "the scheduler in the hub agent",
        (Kind::Binding, false) => {
            "the scheduler (who is picked) and a run or the rolling update (which snapshot)"
        }
        (
            Kind::Run
            | Kind::Placement
            | Kind::Binding
            | Kind::Eviction
            | Kind::PlacementStatus
            | Kind::ResourceSnapshot
            | Kind::OverrideSnapshot,
            true,
        ) => "the hub agent; people do not edit it",
        (_, true) => "a controller; people do not edit it",
        _ if spec.author == Author::User => "the person or pipeline that creates the object",
        _ => "the hub agent, which creates the object",
    }
}

#[cfg(test)]
mod tests {
    use super::MEANINGS;
    use crate::grammar::kind::all_kinds;

    #[test]
    fn every_meaning_is_of_a_field_that_exists() {
        for (family, path, means) in MEANINGS {
            assert!(means.ends_with('.'), "{path}");
            let mut of_family = all_kinds().iter().filter(|spec| spec.family == *family);
            let there = of_family.any(|spec| {
                let found = path.split('.').try_fold(spec.schema(), |schema, step| {
                    let inner = schema.item().unwrap_or(schema);
                    inner.field(step).map(|field| &field.schema)
                });
                found.is_some()
            });
            assert!(there, "{family:?}.{path}");
        }
    }
}
