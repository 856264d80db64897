//! FL15xx: overrides in manifests.

pub mod bad_override_term;
pub mod bad_patch_path;
pub mod bad_patch_value;
pub mod bad_patch_variable;
pub mod changed_override_placement;
pub mod cluster_kind_in_override;
pub mod dead_override_rule;
pub mod label_variable_missing;
pub mod name_becomes_label;
pub mod namespace_wide_override;
pub mod namespaced_kind_in_cluster_override;
pub mod namespaced_scope_in_cluster_override;
pub mod override_clash;
pub mod override_of_other_scope;
pub mod override_selects_nothing;
pub mod override_skipped_by_runs;
pub mod override_type_mismatch;
pub mod patch_of_nothing;
pub mod repeated_override_selector;
pub mod too_many_overrides;
pub mod unnamed_override_selector;
