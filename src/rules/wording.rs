//! Kinds of a scope, as several rules need them.

use crate::model::key::ObjectKey;

/// Returns the kind of approval request that belongs to a run.
pub fn request_kind(run: &ObjectKey) -> &'static str {
    if run.namespace.is_empty() { "ClusterApprovalRequest" } else { "ApprovalRequest" }
}

/// Returns the kind of placement in a scope.
pub fn placement_kind(namespace: &str) -> &'static str {
    if namespace.is_empty() { "ClusterResourcePlacement" } else { "ResourcePlacement" }
}

/// Returns the kind of strategy in a scope.
pub fn strategy_kind(namespace: &str) -> &'static str {
    if namespace.is_empty() { "ClusterStagedUpdateStrategy" } else { "StagedUpdateStrategy" }
}
