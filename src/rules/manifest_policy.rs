//! FL13xx: scheduling policy and rollout strategy of placements in manifests.

pub mod bad_toleration;
pub mod changed_placement_type;
pub mod cluster_count_missing;
pub mod field_not_for_type;
pub mod left_external;
pub mod removed_policy;
pub mod report_back_without_destination;
