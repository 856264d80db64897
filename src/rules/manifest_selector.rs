//! FL14xx: what placements select, and label selectors wherever they stand.

pub mod bad_status_scope;
pub mod duplicate_selector;
pub mod impossible_selector;
pub mod label_selectors;
pub mod mixed_namespace_selectors;
pub mod name_and_label;
pub mod namespace_not_placed;
pub mod no_such_selected_kind;
pub mod operator_values;
pub mod placed_reserved_namespace;
pub mod selector_syntax;
pub mod skipped_kind;
pub mod unknown_operator;
pub mod useless_selection_scope;
pub mod wrong_scope_selector;
