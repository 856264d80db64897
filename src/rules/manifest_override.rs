//! FL15xx: overrides in manifests.

pub mod changed_override_placement;
pub mod namespaced_scope_in_cluster_override;
