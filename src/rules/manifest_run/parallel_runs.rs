//! FL1212 parallel-runs.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::run::Run;
use crate::rule::Cx;

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
        check: parallel_runs,
    }
}

fn parallel_runs(cx: &mut Cx<'_>) {
    let repository = cx.repository();
    for run in cx.drafts::<Run>().filter(|run| run.state() == "Run") {
        let Some(name) = &run.placement else { continue };
        let other = repository.all::<Run>().filter(|other| other.state() == "Run").find(|other| {
            other.target() == run.target()
                && other.name() != run.name()
                && (!other.is_judged() || other.meta.span < run.meta.span)
                && repository.is_together(run.meta.span, other.meta.span)
        });
        let Some(other) = other else { continue };
        let finding = PARALLEL_RUNS
            .at_field(&name.place(), "this one too")
            .also(other.manifest.name_place().span, "this run works on it")
            .message(format!(
                "the runs {} and {} both work on placement {}",
                other.name(),
                run.name(),
                &**name
            ))
            .why("they take clusters from each other; the one that loses a cluster fails");
        cx.report(finding);
    }
}
