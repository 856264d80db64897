//! FL09xx: what only the logs of the controllers show.

pub mod lookup;
pub mod missing_crd;
pub mod preempted_in_log;
pub mod refused_manifest_in_log;
pub mod short_log;
pub mod stopped_binding_in_log;
pub mod stuck_in_log;
