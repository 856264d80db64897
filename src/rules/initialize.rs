//! FL01xx: runs that fail to initialize.

pub mod binding_count_mismatch;
pub mod broken_policy_snapshot;
pub mod broken_snapshot_group;
pub mod cluster_in_no_stage;
pub mod cluster_in_two_stages;
pub mod failed_override_lookup;
pub mod invalid_stage_selector;
pub mod invalid_stage_tasks;
pub mod missing_placement;
pub mod missing_snapshot_index;
pub mod missing_strategy;
pub mod no_clusters_picked;
pub mod placement_not_external;
pub mod policy_not_scheduled;
pub mod stage_exclusion;
pub mod unexplained_failure;
pub mod unselectable_resources;
pub mod untouched_run;
pub mod unusable_sorting_label;
