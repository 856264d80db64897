//! FL1202 run-without-placement.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::placement::Placement;
use crate::model::run::Run;
use crate::rule::Cx;

declare_rule! {
    /// A run whose placement is not found.
    ///
    /// ## Why it matters
    /// A run that cannot find its placement fails once and for ever. A cluster-scoped run looks for a
    /// ClusterResourcePlacement, a namespaced one for a ResourcePlacement of its own namespace.
    ///
    /// ## What to do
    /// Correct the name, or make the placement first.
    pub static RUN_WITHOUT_PLACEMENT = Rule {
        code: "FL1202",
        name: "run-without-placement",
        severity: Severity::Warning,
        layer: Layer::Controller,
        reads: &[Kind::Run, Kind::Placement],
        check: run_without_placement,
    }
}

fn run_without_placement(cx: &mut Cx<'_>) {
    let repository = cx.repository();
    for run in cx.drafts::<Run>() {
        let Some(name) = &run.placement else { continue };
        let wanted = Kind::Placement.in_scope(run.manifest.scope());
        let (span, namespace) = (run.manifest.span, run.meta.namespace());
        if repository.find(wanted, namespace, name).is_some() {
            continue;
        }
        let other = repository.all::<Placement>().find(|placement| {
            let together = repository.is_together(span, placement.manifest.span);
            together && placement.name() == &**name
        });
        let finding = RUN_WITHOUT_PLACEMENT.on(&name.place(), "not found in the run's scope");
        let (kind, run) = (&run.meta.key.kind, run.name());
        let finding = match other {
            Some(other) => finding
                .severity(Severity::Error)
                .also(other.manifest.name_place().span, "this one is in another scope")
                .message(format!("{kind} {run} cannot see {} {}", other.meta.key.kind, &**name))
                .why(concat!(
                    "a cluster-scoped run works on a ClusterResourcePlacement, ",
                    "a namespaced one on a ResourcePlacement of its namespace"
                )),
            None => cx
                .missing(finding)
                .message(format!("the placement {} of run {run} is not found here", &**name))
                .why("if it does not exist when the run is made, the run fails permanently")
                .meant(repository.nearest(span, wanted, namespace, name)),
        };
        cx.report(finding);
    }
}
