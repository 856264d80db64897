//! FL0009 broken-rule.

use crate::declare_rule;
use crate::finding::Severity;
use crate::rule::Cx;

declare_rule! {
    /// A rule that broke down on this input.
    ///
    /// ## Why it matters
    /// This is a fault of fleetlens. The rule's verdict is missing; all other rules were judged.
    ///
    /// ## What to do
    /// Report it with the input, or with a redacted one.
    pub static BROKEN_RULE = Rule {
        code: "FL0009",
        name: "broken-rule",
        severity: Severity::Warning,
        reads: &[],
        check: broken_rule,
    }
}

/// Finds nothing by itself: the engine reports it for a rule that panicked.
fn broken_rule(_: &mut Cx<'_>) {}
