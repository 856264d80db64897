//! FL1204 run-without-strategy.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::run::Run;
use crate::model::strategy::Strategy;
use crate::rule::Cx;

declare_rule! {
    /// A run whose strategy is not found.
    ///
    /// ## Why it matters
    /// A run that cannot find its strategy fails once and for ever. A cluster-scoped run looks for a
    /// ClusterStagedUpdateStrategy, a namespaced one for a StagedUpdateStrategy of its own namespace.
    ///
    /// ## What to do
    /// Correct the name, or make the strategy first.
    pub static RUN_WITHOUT_STRATEGY = Rule {
        code: "FL1204",
        name: "run-without-strategy",
        severity: Severity::Warning,
        layer: Layer::Controller,
        reads: &[Kind::Run, Kind::Strategy],
        check: run_without_strategy,
    }
}

fn run_without_strategy(cx: &mut Cx<'_>) {
    let repository = cx.repository();
    for run in cx.drafts::<Run>() {
        let Some(name) = &run.strategy else { continue };
        let wanted = Kind::Strategy.in_scope(run.manifest.scope());
        let (span, namespace) = (run.manifest.span, run.meta.namespace());
        if repository.find(wanted, namespace, name).is_some() {
            continue;
        }
        let other = repository.all::<Strategy>().find(|strategy| {
            let together = repository.is_together(span, strategy.manifest.span);
            together && strategy.name() == &**name
        });
        let finding = RUN_WITHOUT_STRATEGY.on(&name.place(), "not found in the run's scope");
        let (kind, run) = (&run.meta.key.kind, run.name());
        let finding = match other {
            Some(other) => finding
                .severity(Severity::Error)
                .also(other.manifest.name_place().span, "this one is in another scope")
                .message(format!("{kind} {run} cannot see {} {}", other.meta.key.kind, &**name))
                .why(concat!(
                    "a cluster-scoped run reads a ClusterStagedUpdateStrategy, ",
                    "a namespaced one a StagedUpdateStrategy of its namespace"
                )),
            None => cx
                .missing(finding)
                .message(format!("the strategy {} of run {run} is not found here", &**name))
                .why("if it does not exist when the run is made, the run fails permanently")
                .meant(repository.nearest(span, wanted, namespace, name)),
        };
        cx.report(finding);
    }
}
