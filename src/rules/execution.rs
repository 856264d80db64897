//! FL02xx: runs that fail on the way, and what their inputs did meanwhile.

pub mod broken_run_status;
pub mod changed_apply_strategy;
pub mod changed_cluster_count;
pub mod changed_policy;
pub mod changed_stage_clusters;
pub mod dying_placement;
pub mod edited_strategy;
pub mod late_change;
pub mod outdated_overrides;
pub mod pruned_snapshot;
pub mod skipped_override;
pub mod stage_diff;
pub mod unscheduled_cluster;
pub mod unsupported_state;
