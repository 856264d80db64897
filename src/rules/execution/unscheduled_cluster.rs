//! FL0205 unscheduled-cluster.

use crate::declare_rule;
use crate::facts::after_repair::Repair;
use crate::finding::{Finding, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::{HoleRole, id};
use crate::model::binding::Binding;
use crate::model::run::{DELETE_STAGE, Run};
use crate::rule::Cx;
use crate::rules::run_failure::{ClaimedMessages, foretold, living_runs, report_causes};
use crate::source::Span;

declare_rule! {
    /// A cluster that was taken out of the placement while a run was under way.
    ///
    /// ## Why it matters
    /// A run knows from its start which clusters it has to remove. One that is unscheduled later is not among them, and the
    /// run fails permanently.
    ///
    /// ## What to do
    /// Create a new run; it removes the cluster in its deletion stage.
    pub static UNSCHEDULED_CLUSTER = Rule {
        code: "FL0205",
        name: "unscheduled-cluster",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::Binding],
        check: unscheduled_cluster,
    }
}

/// A cluster was taken out of the placement.
const UNSCHEDULED: ClaimedMessages = &[
    id::VAL_DELETE_NEW,
    id::EXEC_DELETE_UNKNOWN,
    id::STOP_DELETE_UNKNOWN,
    id::EXEC_BINDING_MISSING,
    id::STOP_BINDING_MISSING,
];

fn unscheduled_cluster(cx: &mut Cx<'_>) {
    report_causes(cx, UNSCHEDULED, Repair::Run, |cx, cause| {
        let cluster = cause.named(HoleRole::Cluster).unwrap_or("a cluster");
        let binding = cx.find_binding(cause.run, cluster);
        let state = binding.and_then(|binding| binding.state.as_ref());
        describe(cause.run, cluster, cause.place(cx, HoleRole::Cluster))
            .also_at(state.map(|state| state.span), "the state of its binding")
    });
    for run in living_runs(cx) {
        for binding in unknown_to(cx, run) {
            let (Some(state), Some(deletion)) = (&binding.state, &run.deletion_stage) else {
                continue;
            };
            let finding = describe(run, binding.cluster(), state.span)
                .also(deletion.span, format!("{DELETE_STAGE} does not list it"));
            let outlook = foretold(cx, run, "");
            cx.report(finding.outlook(outlook));
        }
    }
}

/// Returns the bindings that have to go and that the run's deletion stage does not list.
fn unknown_to<'g>(cx: &Cx<'g>, run: &'g Run) -> Vec<&'g Binding> {
    let Some(deletion) = &run.deletion_stage else { return Vec::new() };
    let placement = run.placement.as_deref().unwrap_or_default();
    let goes = |binding: &&Binding| {
        binding.state.as_deref() == Some("Unscheduled") && binding.meta.deleting.is_none()
    };
    let unknown = |binding: &&Binding| {
        !deletion.clusters.iter().any(|cluster| &*cluster.name == binding.cluster())
    };
    let bindings = cx.bindings_of(run.meta.namespace(), placement);
    bindings.into_iter().filter(goes).filter(unknown).collect()
}

fn describe(run: &Run, cluster: &str, place: Span) -> Finding {
    UNSCHEDULED_CLUSTER
        .at(place, "no longer selected")
        .message(format!(
            "{cluster} was taken out of {} while {} was under way.",
            run.show_placement(),
            run.meta.name()
        ))
        .why("A run lists the clusters that it has to remove when it starts. A later one ends it.")
}
