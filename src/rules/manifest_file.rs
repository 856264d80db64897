//! FL19xx: the files themselves: templates, suppressions.

pub mod expired_suppression;
pub mod stale_baseline_entry;
pub mod suppression_without_reason;
pub mod unknown_suppression;
pub mod unrendered_template;
pub mod unused_suppression;
