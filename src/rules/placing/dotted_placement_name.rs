//! FL0613 dotted-placement-name.

use crate::declare_rule;
use crate::facts::pending_placement::PendingPlacement;
use crate::finding::{Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::rule::Cx;

declare_rule! {
    /// A placement whose name has a dot, so that the scheduler cannot make bindings for it.
    ///
    /// ## Why it matters
    /// The API accepts the dot, but the scheduler makes the names of bindings of it and these must not have any. It fails
    /// once and does not try again: the placement stays at `SchedulePending` and every run of it fails.
    ///
    /// ## What to do
    /// Make the placement anew under a name without dots. Dots in the names of runs and strategies do no harm.
    pub static DOTTED_PLACEMENT_NAME = Rule {
        code: "FL0613",
        name: "dotted-placement-name",
        severity: Severity::Error,
        reads: &[Kind::Placement],
        check: dotted_placement_name,
    }
}

fn dotted_placement_name(cx: &mut Cx<'_>) {
    for &PendingPlacement { placement, span, .. } in cx.pending_placements() {
        let key = &placement.meta.key;
        if !key.name.contains('.') {
            continue;
        }
        cx.report(
            DOTTED_PLACEMENT_NAME
                .at(placement.meta.name_span, "the dot")
                .also(span, "so it is never scheduled")
                .message(format!("{key} is never scheduled: its name has a dot, and the scheduler cannot name bindings after it"))
                .why("the API accepts such a name, the scheduler fails with it and does not try again; only a placement of another name helps")
                .recover(Recoverability::WaitsForPerson)
                .explains(Topic::Placement(key.clone())),
        );
    }
}
