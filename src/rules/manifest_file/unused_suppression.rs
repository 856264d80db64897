//! FL1902 unused-suppression.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::rule::Cx;

declare_rule! {
    /// A suppression of something that does not occur.
    ///
    /// ## Why it matters
    /// It hides the next fault of this kind at the same place.
    ///
    /// ## What to do
    /// Remove it.
    pub static UNUSED_SUPPRESSION = Rule {
        code: "FL1902",
        name: "unused-suppression",
        severity: Severity::Warning,
        layer: Layer::Advice,
        reads: &[],
        check: unused_suppression,
    }
}

/// Leaves the judgement to the check, which knows what was suppressed.
fn unused_suppression(_: &mut Cx<'_>) {}
