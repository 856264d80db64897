//! FL0613 dotted-placement-name.

use crate::declare_rule;
use crate::facts::pending_placement::PendingPlacement;
use crate::finding::{Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::commands::show_command;

declare_rule! {
    /// A placement whose name has a dot, so that the scheduler cannot make bindings for it.
    ///
    /// ## Why it matters
    /// The API accepts the dot, but the scheduler makes the names of bindings of it and these must not have any. It fails
    /// once and does not try again: the placement stays at `SchedulePending` and every run of it fails.
    ///
    /// ## What to do
    /// Create the placement again under a name without dots. Dots in the names of runs and strategies do no harm.
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
        if !placement.has_dotted_name() {
            continue;
        }
        cx.report(
            DOTTED_PLACEMENT_NAME
                .at(placement.meta.name_span, "the name has a dot")
                .also(span, "so it stays pending")
                .message(format!(
                    "The scheduler cannot schedule {key}: its name has a dot, and names of \
                     bindings must not have one."
                ))
                .why(
                    "The API server accepts such a name. The scheduler fails once and does not \
                      retry.",
                )
                .then(format!(
                    "{} stays pending permanently. Create the placement again under a name \
                     without dots.",
                    key.name
                ))
                .recover(Recoverability::WaitsForPerson)
                .step(show_command(key), "shows its spec, to create it under another name")
                .explains(Topic::Placement(key.clone())),
        );
    }
}
