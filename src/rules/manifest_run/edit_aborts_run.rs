//! FL1213 edit-aborts-run.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::same;
use crate::rule::ManifestCx;

declare_rule! {
    /// A change to a placement that aborts a run at work.
    ///
    /// ## Why it matters
    /// A run holds on to the policy and the apply strategy that it started with; a change of either fails it.
    ///
    /// ## What to do
    /// Stop or finish the run first.
    pub static EDIT_ABORTS_RUN = Rule {
        code: "FL1213",
        name: "edit-aborts-run",
        severity: Severity::Warning,
        layer: Layer::Controller,
        reads: &[Kind::Placement, Kind::Run],
        manifest: edit_aborts_run,
    }
}

fn edit_aborts_run(cx: &mut ManifestCx<'_>) {
    let repository = cx.repository();
    for placement in cx.of(Kind::Placement) {
        let Some(before) = placement.before() else { continue };
        let running = repository.of(Kind::Run).find(|run| {
            repository.placement_of(run).is_some_and(|p| p.key == placement.key)
                && run
                    .stored()
                    .at(&["spec", "state"])
                    .is_some_and(|state| state.str() == Some("Run"))
        });
        let Some(run) = running else { continue };
        let root = placement.stored();
        for path in [&["spec", "policy"][..], &["spec", "strategy", "applyStrategy"][..]] {
            let (old, new) = (before.at(path), root.at(path));
            let alike = match (&old, &new) {
                (Some(old), Some(new)) => same(old.node, new.node),
                (None, None) => true,
                _ => false,
            };
            let Some(place) = new.or(root.get("spec")).map(|at| at.key_place()).filter(|_| !alike)
            else {
                continue;
            };
            let finding = EDIT_ABORTS_RUN
                .on(&place, "changed")
                .also(run.name_place().span, "this run is at work")
                .message(format!("changing {} of {} aborts run {}", path.join("."), placement.name(), run.name()))
                .help("a run fails when the policy or the apply strategy that it started with changes");
            cx.report(finding);
        }
    }
}
