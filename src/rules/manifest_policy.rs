//! FL13xx: scheduling policy and rollout strategy of placements in manifests.

pub mod bad_cluster_name;
pub mod bad_property_requirement;
pub mod bad_rolling_number;
pub mod bad_toleration;
pub mod bad_toleration_syntax;
pub mod changed_placement_type;
pub mod cluster_count_missing;
pub mod contradictory_properties;
pub mod dotted_placement_name;
pub mod field_not_for_type;
pub mod ignored_apply_config;
pub mod inert_field;
pub mod left_external;
pub mod misplaced_property_term;
pub mod no_cluster_names;
pub mod preferred_with_pick_all;
pub mod removed_policy;
pub mod removed_toleration;
pub mod report_back_without_destination;
pub mod rolling_update_with_external;
pub mod term;
pub mod unreadable_property_name;
pub mod widened_placement;
pub mod zero_unavailable;
