//! FL1904 suppression-without-reason.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::rule::Cx;

declare_rule! {
    /// A suppression that does not say why.
    ///
    /// ## Why it matters
    /// Nobody can tell later whether it is still needed, so it is not honoured.
    ///
    /// ## What to do
    /// Write the reason behind the bracket: `# fleetlens: ignore[CODE] reason`.
    pub static SUPPRESSION_WITHOUT_REASON = Rule {
        code: "FL1904",
        name: "suppression-without-reason",
        severity: Severity::Warning,
        layer: Layer::Advice,
        reads: &[],
        check: suppression_without_reason,
    }
}

/// Leaves the judgement to the check, which knows what was suppressed.
fn suppression_without_reason(_: &mut Cx<'_>) {}
