//! FL1214 run-with-new-placement.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::Draft;
use crate::model::run::Run;
use crate::rule::Cx;

declare_rule! {
    /// A run that is made together with its placement.
    ///
    /// ## Why it matters
    /// A run that initializes before its placement is scheduled fails for good.
    ///
    /// ## What to do
    /// Apply the placement first, and the run when it is scheduled.
    pub static RUN_WITH_NEW_PLACEMENT = Rule {
        code: "FL1214",
        name: "run-with-new-placement",
        severity: Severity::Note,
        layer: Layer::Advice,
        reads: &[Kind::Run, Kind::Placement],
        check: run_with_new_placement,
    }
}

fn run_with_new_placement(cx: &mut Cx<'_>) {
    let repository = cx.repository();
    for run in cx.drafts::<Run>().filter(Draft::is_new) {
        let placement = repository.placement_of(run).filter(|p| p.is_judged() && p.is_new());
        let (Some(placement), Some(name)) = (placement, &run.placement) else { continue };
        let finding = RUN_WITH_NEW_PLACEMENT
            .at_field(&name.place(), "not scheduled yet")
            .also(placement.manifest.name_place().span, "made at the same time")
            .message(format!(
                "run {} is made together with its placement {}",
                run.name(),
                placement.name()
            ))
            .why("if it initializes before the placement is scheduled, it fails for good");
        cx.report(finding);
    }
}
