//! FL0405 silent-hold.

use crate::declare_rule;
use crate::finding::Topic;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::model::binding::Binding;
use crate::model::run::Run;
use crate::rule::Cx;

declare_rule! {
    /// A run that holds at a cluster without saying so, because the cluster already fails with the wanted version.
    ///
    /// ## Why it matters
    /// The binding is just as the run wants it, since an earlier run put it there, and it is failing. Then the
    /// controller never marks the cluster as started, so it is never called stuck either: the run says that it makes
    /// progress, for ever.
    ///
    /// ## What to do
    /// Repair the workload on that cluster, or roll out another version with a new run.
    pub static SILENT_HOLD = Rule {
        code: "FL0405",
        name: "silent-hold",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::Binding],
        check: silent_hold,
    }
}

fn silent_hold(cx: &mut Cx<'_>) {
    for run in cx
        .runs()
        .iter()
        .filter(|run| run.is_active() && run.progress_reason() == "UpdateRunProgressing")
    {
        let Some(stage) = run.stages.iter().find(|stage| !stage.has_succeeded()) else { continue };
        if stage.clusters.iter().any(|cluster| cluster.is_in_flight()) {
            continue;
        }
        let Some(next) = stage.clusters.iter().find(|cluster| !cluster.has_succeeded()) else {
            continue;
        };
        let Some(binding) =
            cx.find_binding(run, &next.name).filter(|binding| is_taken(run, binding))
        else {
            continue;
        };
        let Some(failing) = binding.first_failing() else { continue };
        let cluster = &*next.name;
        let failed: Vec<String> =
            binding.failed.iter().map(|failed| failed.resource.show()).collect();
        let objects =
            if failed.is_empty() { String::new() } else { format!(" ({})", failed.join(", ")) };
        let mut finding = SILENT_HOLD
            .at(failing.best_span(), format!("{} is False", &*failing.kind))
            .also(next.name.span, "never started, so never called stuck")
            .message(format!(
                "{} holds at cluster {cluster} without a word: its binding has the wanted version already and is failing{objects}: {}",
                run.meta.name(),
                failing.message(),
            ))
            .why("a cluster that fails before the run has touched it is not marked as started, and only started clusters become stuck")
            .recover(Recoverability::ResumesAfterRepair)
            .about(Topic::RunCluster(run.meta.key.clone(), cluster.into()));
        if let Some(placement) = &run.placement {
            finding = finding.about(Topic::placement_cluster(run, placement, cluster));
        }
        for failed in binding.failed.iter().take(2) {
            finding = finding.also(failed.resource.span, "what fails there");
        }
        cx.report(finding);
    }
}

/// Says whether the binding is already as the run would make it, so that the run only looks at it.
fn is_taken(run: &Run, binding: &Binding) -> bool {
    binding.snapshot.as_deref() == run.snapshot_name().as_deref()
        && binding.state.as_deref() == Some("Bound")
        && binding.current("RolloutStarted").is_some_and(|started| started.is_true())
}
