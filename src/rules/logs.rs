//! FL09xx: what only the logs of the controllers show.

pub mod agent_starts;
pub mod backing_off;
pub mod binding_status;
pub mod binding_takeovers;
pub mod completeness;
pub mod disabled_runs;
pub mod ended_agent;
pub mod failed_run_in_log;
pub mod failing_calls_in_log;
pub mod illegal_step;
pub mod illegal_step_in_log;
pub mod lost_lease;
pub mod missing_crd;
pub mod panic_in_log;
pub mod preempted_in_log;
pub mod reconcile_pass;
pub mod refused_manifest_in_log;
pub mod refused_placement_in_log;
pub mod replay;
pub mod restarted_agent;
pub mod short_log;
pub mod stopped_binding_in_log;
pub mod stuck_in_log;
pub mod ten_line_log;
pub mod unapplied_in_log;
pub mod unexplained_errors_in_log;
