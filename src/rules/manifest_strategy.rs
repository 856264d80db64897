//! FL11xx: staged update strategies in manifests.

pub mod concurrency_below_one;
pub mod stage;
pub mod timed_wait_before_stage;
pub mod wait_missing;
pub mod wait_on_approval;
