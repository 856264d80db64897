//! FL14xx: what placements select, and label selectors wherever they stand.

pub mod bad_status_scope;
pub mod mixed_namespace_selectors;
pub mod name_and_label;
