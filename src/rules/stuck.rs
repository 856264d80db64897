//! FL04xx: stuck and held runs.

pub mod agent_liveness;
pub mod between_stages;
pub mod created_stopped;
pub mod empty_stage;
pub mod hanging_deletion;
pub mod left_in_initialize;
pub mod overdue_cluster;
pub mod recovered_still_stuck;
pub mod silent_hold;
pub mod start_command;
pub mod stop_limbo;
pub mod stopped_run;
pub mod stuck_run;
pub mod undeletable_run;
pub mod unprocessed_change;
