//! FL1212 parallel-runs.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::{Manifest, Role};
use crate::rule::ManifestCx;

declare_rule! {
    /// Two runs at work on one placement.
    ///
    /// ## Why it matters
    /// Each takes the clusters from the other: the one that comes later wins, the first fails.
    ///
    /// ## What to do
    /// Let one of them run.
    pub static PARALLEL_RUNS = Rule {
        code: "FL1212",
        name: "parallel-runs",
        severity: Severity::Warning,
        layer: Layer::Controller,
        reads: &[Kind::Run],
        manifest: parallel_runs,
    }
}

fn parallel_runs(cx: &mut ManifestCx<'_>) {
    let running = |run: &&Manifest| {
        run.stored().at(&["spec", "state"]).is_some_and(|state| state.str() == Some("Run"))
    };
    let target = |run: &Manifest| {
        run.stored().at(&["spec", "placementName"]).and_then(|name| name.str().map(str::to_owned))
    };
    let repository = cx.repository();
    for run in cx.of(Kind::Run).filter(running) {
        let other = repository.of(Kind::Run).filter(running).find(|other| {
            other.key.kind == run.key.kind
                && other.key.namespace == run.key.namespace
                && other.key.name != run.key.name
                && target(other) == target(run)
                && (other.role != Role::Judged || other.span < run.span)
        });
        let Some(other) = other else { continue };
        let Some(name) = run.stored().at(&["spec", "placementName"]) else { continue };
        let finding = PARALLEL_RUNS
            .on(&name.place(), "this one too")
            .also(other.name_place().span, "this run works on it")
            .message(format!(
                "the runs {} and {} both work on placement {}",
                other.name(),
                run.name(),
                name.str().unwrap_or_default()
            ))
            .help("they take clusters from each other; the one that loses a cluster fails");
        cx.report(finding);
    }
}
