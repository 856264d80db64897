//! FL1906 stale-baseline-entry.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::rule::Cx;

declare_rule! {
    /// An entry of the baseline that nothing matches.
    ///
    /// ## Why it matters
    /// The finding was repaired. While the entry stays, the same finding can come back and nobody sees it.
    ///
    /// ## What to do
    /// Write the baseline again: `fleetlens check --write-baseline FILE PATH…`.
    pub static STALE_BASELINE_ENTRY = Rule {
        code: "FL1906",
        name: "stale-baseline-entry",
        severity: Severity::Note,
        layer: Layer::Advice,
        reads: &[],
        check: stale_baseline_entry,
    }
}

/// Leaves the judgement to the check, which knows what the entries matched.
fn stale_baseline_entry(_: &mut Cx<'_>) {}
