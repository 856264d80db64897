//! FL063x: overrides that fail, or that change nothing.

pub mod cascading_override;
pub mod failed_override;
pub mod missing_label_variable;
pub mod override_finding;
pub mod override_without_cluster;
pub mod override_without_placement;
pub mod override_without_resource;
