//! FL1515 override-skipped-by-runs.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;

declare_rule! {
    /// An override for a namespaced placement that runs roll out.
    ///
    /// ## Why it matters
    /// In current releases a StagedUpdateRun does not find overrides with `scope: Namespaced`; they are skipped
    /// without a word.
    ///
    /// ## What to do
    /// Leave `placement` out of the override.
    pub static OVERRIDE_SKIPPED_BY_RUNS = Rule {
        code: "FL1515",
        name: "override-skipped-by-runs",
        severity: Severity::Warning,
        layer: Layer::Controller,
        reads: &[Kind::Override, Kind::Run, Kind::Placement],
        check: override_skipped_by_runs,
    }
}

fn override_skipped_by_runs(cx: &mut Cx<'_>) {
    let repository = cx.repository();
    for manifest in cx.of(Kind::Override) {
        let Some(placement) = manifest
            .stored()
            .at(&["spec", "placement"])
            .filter(|p| p.text("scope") == Some("Namespaced"))
        else {
            continue;
        };
        let run = repository.of(Kind::Run).find(|run| {
            !run.is_cluster_scoped()
                && repository.is_together(manifest.span, run.span)
                && run.key.namespace == manifest.key.namespace
                && run
                    .stored()
                    .at(&["spec", "placementName"])
                    .is_some_and(|name| name.str() == placement.text("name"))
        });
        let (Some(run), Some(scope)) = (run, placement.get("scope")) else { continue };
        let finding = OVERRIDE_SKIPPED_BY_RUNS
            .on(&scope.place(), "not seen by runs")
            .also(run.name_place().span, "this run rolls the placement out")
            .message(format!("run {} skips the override {}", run.name(), manifest.name()))
            .why("runs do not find overrides with scope Namespaced; without `placement` they do");
        cx.report(finding);
    }
}
