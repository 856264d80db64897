//! FL1903 unknown-suppression.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::rule::Cx;

declare_rule! {
    /// A suppression of a rule that does not exist.
    ///
    /// ## Why it matters
    /// It does nothing, and whoever wrote it believes that it does.
    ///
    /// ## What to do
    /// Write the code or the name of a rule, as `fleetlens rules` lists them.
    pub static UNKNOWN_SUPPRESSION = Rule {
        code: "FL1903",
        name: "unknown-suppression",
        severity: Severity::Warning,
        layer: Layer::Advice,
        reads: &[],
        check: unknown_suppression,
    }
}

/// Leaves the judgement to the check, which knows what was suppressed.
fn unknown_suppression(_: &mut Cx<'_>) {}
