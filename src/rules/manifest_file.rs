//! FL19xx: the files themselves: templates, suppressions.

pub mod unrendered_template;
