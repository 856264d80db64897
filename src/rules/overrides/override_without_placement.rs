//! FL0635 override-without-placement.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::graph::Listing;
use crate::rule::Cx;
use crate::rules::commands::look_at_hub;

declare_rule! {
    /// An override for a placement that does not exist.
    ///
    /// ## Why it matters
    /// `spec.placement` binds an override to one placement, by name and scope (`Cluster` unless it says `Namespaced`). If
    /// there is none of that name the override does nothing, and nobody says so.
    ///
    /// ## What to do
    /// The reference cannot be changed: create the override again with the right name and scope.
    pub static OVERRIDE_WITHOUT_PLACEMENT = Rule {
        code: "FL0635",
        name: "override-without-placement",
        severity: Severity::Warning,
        reads: &[Kind::Override, Kind::Placement],
        check: override_without_placement,
    }
}

fn override_without_placement(cx: &mut Cx<'_>) {
    for item in cx.overrides().iter().filter(|item| item.meta.deleting.is_none()) {
        let Some(name) = &item.placement else { continue };
        let (kind, namespace) = item.target_scope();
        if cx.listing(kind, namespace) != Listing::All || !cx.override_targets(item).is_empty() {
            continue;
        }
        let twin = cx.placements().iter().find(|placement| placement.meta.name() == &**name);
        cx.report(
            OVERRIDE_WITHOUT_PLACEMENT
                .at(name.span, format!("no {kind} of this name"))
                .also_at(item.placement_scope.as_ref().map(|scope| scope.span), "in this scope")
                .also_at(twin.map(|twin| twin.meta.name_span), "of the same name in another scope")
                .message(format!(
                    "Override {} has no effect: it is for {kind} {}, which does not exist.",
                    item.meta.name(),
                    &**name
                ))
                .why(
                    "An override that names a placement counts for that one alone. Its scope is \
                      Cluster unless it says Namespaced.",
                )
                .then(
                    "spec.placement cannot be changed. Create the override again with the right \
                       name and scope.",
                )
                .recover(Recoverability::ResumesAfterRepair)
                .step(
                    look_at_hub().words("get").resource(kind).namespace(namespace).build(),
                    "lists the placements of that scope",
                ),
        );
    }
}
