//! FL12xx: staged update runs and approval requests in manifests.

pub mod approval_in_repository;
pub mod approval_name;
pub mod approval_without_target;
pub mod edit_aborts_run;
pub mod forbidden_transition;
pub mod name_too_long;
pub mod odd_snapshot_index;
pub mod parallel_runs;
pub mod premature_index;
pub mod reference;
pub mod run_created_stopped;
pub mod run_in_old_version;
pub mod run_never_starts;
pub mod run_on_rolling_placement;
pub mod run_with_new_placement;
pub mod run_without_placement;
pub mod run_without_strategy;
