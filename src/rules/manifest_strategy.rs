//! FL11xx: staged update strategies in manifests.

pub mod catch_all_stage;
pub mod concurrency_below_one;
pub mod concurrency_rounds_to_one;
pub mod no_stages;
pub mod overlapping_stages;
pub mod possible_overlap;
pub mod repeated_stage_name;
pub mod repeated_task;
pub mod sorting_key_syntax;
pub mod sorting_label_missing;
pub mod stage;
pub mod stage_matches_none;
pub mod stage_without_selector;
pub mod timed_wait_before_stage;
pub mod uncovered_cluster;
pub mod wait_after_last_stage;
pub mod wait_missing;
pub mod wait_on_approval;
pub mod wait_too_long;
pub mod zero_wait;
