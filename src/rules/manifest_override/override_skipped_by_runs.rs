//! FL1515 override-skipped-by-runs.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::overrides::Override;
use crate::model::run::Run;
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
    for item in cx.drafts::<Override>() {
        let Some(scope) = item.object.scope_hidden_from_runs() else { continue };
        let manifest = item.manifest;
        let run = repository.all::<Run>().find(|run| {
            !run.manifest.is_cluster_scoped()
                && repository.is_together(manifest.span, run.manifest.span)
                && run.manifest.key.namespace == manifest.key.namespace
                && run.placement.is_some()
                && run.placement.as_deref() == item.placement.as_deref()
        });
        let Some(run) = run else { continue };
        let finding = OVERRIDE_SKIPPED_BY_RUNS
            .at_field(&scope.place(), "not seen by runs")
            .also(run.manifest.name_place().span, "this run rolls the placement out")
            .message(format!("run {} skips the override {}", run.name(), item.name()))
            .why("runs do not find overrides with scope Namespaced; without `placement` they do");
        cx.report(finding);
    }
}
