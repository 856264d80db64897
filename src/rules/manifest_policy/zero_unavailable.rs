//! FL1320 zero-unavailable.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::placement::Placement;
use crate::rule::Cx;

declare_rule! {
    /// A rolling update that may not make anything unavailable.
    ///
    /// ## Why it matters
    /// A cluster that is updated in place counts as unavailable for a moment, so with 0 no update of clusters
    /// that are all ready can begin.
    ///
    /// ## What to do
    /// Allow at least 1, or use runs.
    pub static ZERO_UNAVAILABLE = Rule {
        code: "FL1320",
        name: "zero-unavailable",
        severity: Severity::Warning,
        layer: Layer::Advice,
        reads: &[Kind::Placement],
        check: zero_unavailable,
    }
}

fn zero_unavailable(cx: &mut Cx<'_>) {
    for placement in cx.drafts::<Placement>() {
        let Some(value) = placement.forbids_updates() else { continue };
        let finding = ZERO_UNAVAILABLE
            .at_field(&value.place(), "no update in place can begin")
            .message(format!("{} allows no cluster to be unavailable", placement.show()))
            .why("updating a cluster in place makes it unavailable for a moment");
        cx.report(finding);
    }
}
