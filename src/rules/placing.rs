//! FL06xx: placements and scheduling.

pub mod external_without_run;
pub mod mixed_versions;
