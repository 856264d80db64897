//! FL0101 missing-placement.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::model::key::ObjectKey;
use crate::model::placement::Placement;
use crate::model::run::Run;
use crate::rule::Cx;
use crate::rules::chain::behind;
use crate::rules::commands::look_at_hub;
use crate::rules::failure::{Claim, causes};

declare_rule! {
    /// A run whose placement does not exist.
    ///
    /// ## Why it matters
    /// A run looks its placement up by name, in its own scope: a ClusterStagedUpdateRun wants a
    /// ClusterResourcePlacement, a StagedUpdateRun a ResourcePlacement in its own namespace. Without it the run
    /// fails for good, at the start or, when somebody deletes the placement on the way, at its next look. Bindings
    /// and Works go with a deleted placement, so the clusters that were done lose the resources too.
    ///
    /// ## What to do
    /// Create the placement (strategy External) in the run's scope, or use a run of the placement's scope. Then make
    /// a new run; a failed one cannot be revived.
    pub static MISSING_PLACEMENT = Rule {
        code: "FL0101",
        name: "missing-placement",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::Placement],
        check: missing_placement,
    }
}

/// The placement does not exist.
const NO_PLACEMENT: Claim =
    &[id::ERR_PLACEMENT_NOT_FOUND, id::ERR_CRP_NOT_FOUND, id::ERR_RP_NOT_FOUND_DOC];

fn missing_placement(cx: &mut Cx<'_>) {
    for cause in causes(cx, NO_PLACEMENT) {
        let run = cause.run;
        let name = run.placement.as_deref();
        let fate = if cause.is_late() {
            "was deleted while the run was under way"
        } else {
            "did not exist"
        };
        let wanted = Kind::Placement.in_namespace(run.meta.namespace());
        let place = run.placement.as_ref().map_or(cause.span, |placement| placement.span);
        let mut finding = MISSING_PLACEMENT
            .at(place, "no such placement in the run's scope")
            .also(cause.span, "what the run says")
            .message(format!(
                "{} failed: its placement{} {fate}",
                run.meta.key,
                behind(name.unwrap_or_default())
            ))
            .why(format!("the run looks for a {wanted} of that name in its own scope, and fails for good without it"))
            .recover(Recoverability::RunIsDead);
        if let Some(name) = name {
            let placement = ObjectKey::of(Kind::Placement, run.meta.namespace(), name);
            finding = finding.command(look_at_hub().words("get").object(&placement).build());
        }
        if let Some(other) = find_in_other_scope(cx, run) {
            finding = finding.also(other.meta.name_span, "this one is of another scope").why(format!(
                "there is a {} of that name, but a {} looks for a {wanted} only (scope and namespace of its own)",
                other.meta.key,
                run.meta.key.kind,
            ));
        }
        let finding = cause.settle(cx, finding);
        cx.report(finding);
    }
}

fn find_in_other_scope<'g>(cx: &Cx<'g>, run: &Run) -> Option<&'g Placement> {
    let name = run.placement.as_deref()?;
    cx.placements().iter().find(|placement| {
        placement.meta.name() == name && placement.meta.namespace() != run.meta.namespace()
    })
}
