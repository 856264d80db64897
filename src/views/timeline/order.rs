//! The order of events with equal timestamps: by cause and effect, request before object, apply before result.
//!
//! Work goes down (placement, run, stage, cluster, binding, Work, object on the member) and its result
//! comes back up the same way. A stamp of whole seconds cannot tell that order; the steps here do.

use crate::grammar::kind::{Kind, find_kind};

/// Returns the step at which an object is created: what asks for it comes before it.
pub(super) fn creation(kind: &str) -> u8 {
    match family(kind) {
        Some(Kind::MemberCluster | Kind::InternalMemberCluster | Kind::Namespace) => 0,
        Some(Kind::Strategy | Kind::Override | Kind::DisruptionBudget) => 1,
        Some(Kind::Placement) => 2,
        Some(Kind::OverrideSnapshot | Kind::PolicySnapshot | Kind::ResourceSnapshot) => 3,
        Some(Kind::Binding) => 4,
        Some(Kind::Run) => 5,
        Some(Kind::ApprovalRequest | Kind::Eviction) => 6,
        Some(Kind::Work) => 7,
        Some(Kind::AppliedWork) => 8,
        Some(Kind::ReplicaSet | Kind::Job) => 10,
        Some(Kind::Pod) => 11,
        _ => 9,
    }
}

/// What a condition stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ConditionLevel {
    /// The object itself.
    Object,
    /// A stage of a run.
    Stage,
    /// A task of a stage.
    Task,
    /// A cluster of a run or a placement.
    Cluster,
    /// A manifest of a Work, or another part.
    Part,
}

/// Returns the step of a condition: first the way down, then the way back up.
pub(super) fn condition(kind: &str, level: ConditionLevel, condition: &str) -> u8 {
    match (family(kind), level, condition) {
        (Some(Kind::MemberCluster | Kind::InternalMemberCluster), ..) => 0,
        (Some(Kind::PolicySnapshot), ..) => 1,
        (Some(Kind::Placement), _, kind) if kind.ends_with("Scheduled") => 2,
        (Some(Kind::Run), ConditionLevel::Object, "Initialized") => 3,
        (Some(Kind::ApprovalRequest), _, "Approved") => 5,
        (Some(Kind::ApprovalRequest), ..) => 6,
        (Some(Kind::Run), ConditionLevel::Task, "ApprovalRequestCreated") => 4,
        (Some(Kind::Run), ConditionLevel::Task, _) => 7,
        (Some(Kind::Run), ConditionLevel::Object, "Progressing") => 8,
        (Some(Kind::Run), ConditionLevel::Stage, "Progressing") => 9,
        (Some(Kind::Run), ConditionLevel::Cluster, "Started") => 10,
        (Some(Kind::Binding), _, "RolloutStarted") => 11,
        (Some(Kind::Binding), _, "Overridden") => 12,
        (Some(Kind::Binding), _, "WorkSynchronized") => 13,
        (Some(Kind::Pod), ..) => 14,
        (Some(Kind::ReplicaSet), ..) => 15,
        (Some(Kind::Work), ConditionLevel::Part, _) => 17,
        (Some(Kind::Work), ..) => 18,
        (Some(Kind::Binding), ..) => 19,
        (Some(Kind::Run), ConditionLevel::Cluster, _) => 20,
        (Some(Kind::Run), ConditionLevel::Stage, _) => 22,
        (Some(Kind::Run), ..) => 23,
        (Some(Kind::Placement), ConditionLevel::Cluster, _) => 24,
        (Some(Kind::Placement), ..) => 25,
        _ => 16,
    }
}

/// The step at which a stage notes its start.
pub(super) const STAGE_START: u8 = 9;
/// The step at which a stage notes its end.
pub(super) const STAGE_END: u8 = 21;
/// The step at which a container notes its start or end.
pub(super) const CONTAINER: u8 = 14;

fn family(kind: &str) -> Option<Kind> {
    find_kind(kind).map(|spec| spec.family)
}
