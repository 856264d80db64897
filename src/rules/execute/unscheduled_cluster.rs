//! FL0205 unscheduled-cluster.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::{Role, id};
use crate::model::run::DELETE_STAGE;
use crate::rule::Cx;
use crate::rules::failure::{Claim, causes, settle};

declare_rule! {
    /// A cluster that was taken out of the placement while a run was under way.
    ///
    /// ## Why it matters
    /// A run knows from its start which clusters it has to remove. One that is unscheduled later is not among them, and the
    /// run fails for good.
    ///
    /// ## What to do
    /// Make a new run; it removes the cluster in its deletion stage.
    pub static UNSCHEDULED_CLUSTER = Rule {
        code: "FL0205",
        name: "unscheduled-cluster",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::Binding],
        check: unscheduled_cluster,
    }
}

/// A cluster was taken out of the placement.
const UNSCHEDULED: Claim = &[
    id::VAL_DELETE_NEW,
    id::EXEC_DELETE_UNKNOWN,
    id::STOP_DELETE_UNKNOWN,
    id::EXEC_BINDING_MISSING,
    id::STOP_BINDING_MISSING,
];

fn unscheduled_cluster(cx: &mut Cx<'_>) {
    for cause in causes(cx, UNSCHEDULED) {
        let run = cause.run;
        let cluster = cause.named(Role::Cluster).unwrap_or_default();
        let binding = cx.find_binding(run, cluster);
        let state = binding.and_then(|binding| binding.state.as_ref());
        let finding = UNSCHEDULED_CLUSTER
            .at(cause.place(cx, Role::Cluster), "no longer selected")
            .also_at(state.map(|state| state.span), "its binding")
            .message(format!("{} failed: cluster {cluster} was taken out of the placement while the run was under way", run.meta.name()))
            .why("a cluster that is unscheduled after the start is not in the run's deletion stage, which ends the run")
            .recover(Recoverability::RunIsDead);
        let finding = settle(cx, run, finding);
        cx.report(finding);
    }
    for run in cx
        .runs()
        .iter()
        .filter(|run| run.is_initialized() && !run.is_terminal() && !run.meta.partial)
    {
        let Some(deletion) = &run.deletion_stage else { continue };
        let bindings =
            cx.bindings_of(run.meta.namespace(), run.placement.as_deref().unwrap_or_default());
        for binding in
            bindings.into_iter().filter(|binding| binding.state.as_deref() == Some("Unscheduled"))
        {
            let known = deletion.clusters.iter().any(|cluster| &*cluster.name == binding.cluster());
            let Some(state) =
                binding.state.as_ref().filter(|_| !known && binding.meta.deleting.is_none())
            else {
                continue;
            };
            cx.report(
                UNSCHEDULED_CLUSTER
                    .at(state.span, "no longer selected")
                    .also(deletion.span, format!("{DELETE_STAGE} does not know it"))
                    .message(format!(
                        "{} will fail at its next look: cluster {} was taken out of the placement after the run was initialized",
                        run.meta.name(),
                        binding.cluster(),
                    ))
                    .why("a cluster that is unscheduled after the start is not in the run's deletion stage, which ends the run")
                    .recover(Recoverability::RunIsDead),
            );
        }
    }
}
