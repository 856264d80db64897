//! FL10xx: the shape of a manifest: kind, keys, types, values, metadata.

pub mod bad_label;
pub mod bad_metadata;
pub mod bad_name;
pub mod bad_namespace;
pub mod changed_immutable_field;
pub mod controller_owned_kind;
pub mod duplicate_object;
pub mod limit_crossed;
pub mod live_metadata;
pub mod malformed_manifest;
pub mod missing_field;
pub mod namespace_on_cluster_kind;
pub mod number_too_large;
pub mod old_version;
pub mod pattern_mismatch;
pub mod preview_group;
pub mod removed_group;
pub mod repeated_key;
pub mod status_in_manifest;
pub mod unknown_field;
pub mod unknown_kind;
pub mod unstated_namespace;
pub mod value_not_allowed;
pub mod version_not_served;
pub mod wrong_type;
