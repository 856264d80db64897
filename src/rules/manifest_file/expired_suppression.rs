//! FL1905 expired-suppression.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::rule::Cx;

declare_rule! {
    /// An entry of the configuration that ignores findings and is past its last day.
    ///
    /// ## Why it matters
    /// It does nothing any more: what it hid is shown again, and whoever set the day wanted it looked at.
    ///
    /// ## What to do
    /// Repair what is found and remove the entry, or decide anew and give it another day.
    pub static EXPIRED_SUPPRESSION = Rule {
        code: "FL1905",
        name: "expired-suppression",
        severity: Severity::Warning,
        layer: Layer::Advice,
        reads: &[],
        check: expired_suppression,
    }
}

/// Leaves the judgement to the check, which knows what the entries matched.
fn expired_suppression(_: &mut Cx<'_>) {}
