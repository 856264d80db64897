//! FL0405 silent-hold.

use crate::declare_rule;
use crate::facts::after_repair::waiting;
use crate::finding::{Finding, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::model::binding::Binding;
use crate::model::condition::Condition;
use crate::model::run::{ClusterStatus, Run};
use crate::rule::Cx;
use crate::rules::commands::look_at;
use crate::rules::sentence::join_names;

declare_rule! {
    /// A run that holds at a cluster without saying so, because the cluster already fails with the wanted version.
    ///
    /// ## Why it matters
    /// The binding is just as the run wants it, since an earlier run put it there, and it is failing. Then the
    /// controller never marks the cluster as started, so it is never called stuck either: the run says permanently that it
    /// makes progress.
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
    let says_progress = |run: &&Run| run.progress_reason() == "UpdateRunProgressing";
    for run in cx.runs().iter().filter(|run| run.is_active()).filter(says_progress) {
        let Some(next) = next_cluster(run) else { continue };
        let binding = cx.find_binding(run, &next.name).filter(|binding| is_taken(run, binding));
        let Some(binding) = binding else { continue };
        let Some(failing) = binding.first_failing() else { continue };
        let finding = describe(run, next, binding, failing);
        let finding = finding.outlook(waiting(&run.meta.title(), "continues", &next.name));
        cx.report(finding);
    }
}

/// Returns the cluster at which the run is, if it has started none that is open.
fn next_cluster(run: &Run) -> Option<&ClusterStatus> {
    let stage = run.stages.iter().find(|stage| !stage.has_succeeded())?;
    let in_flight = stage.clusters.iter().any(ClusterStatus::is_in_flight);
    stage.clusters.iter().find(|cluster| !cluster.has_succeeded()).filter(|_| !in_flight)
}

fn describe(run: &Run, next: &ClusterStatus, binding: &Binding, failing: &Condition) -> Finding {
    let (name, cluster) = (run.meta.name(), &*next.name);
    let failed: Vec<String> = binding.failed.iter().map(|failed| failed.resource.show()).collect();
    let objects = match failed.is_empty() {
        true => format!("Its binding says {} False.", &*failing.kind),
        false => format!("Not ready there: {}.", join_names(failed)),
    };
    let mut finding = SILENT_HOLD
        .at(failing.best_span(), format!("{} is False on {cluster}", &*failing.kind))
        .also(next.name.span, "never started, so never called stuck")
        .message(format!(
            "{} is blocked at {cluster} and will never report \"stuck\". {objects}",
            run.meta.title()
        ))
        .why(format!(
            "The binding of {cluster} already has the version of {name} and fails. Such a \
             cluster is not marked as started, and only started clusters become stuck."
        ))
        .about(Topic::RunCluster(run.meta.key.clone(), cluster.into()));
    if let Some(placement) = &run.placement {
        finding = finding.about(Topic::placement_cluster(run, placement, cluster));
    }
    for failed in binding.failed.iter().take(2) {
        finding = finding.also(failed.resource.span, format!("not ready on {cluster}"));
    }
    let namespace = binding.failed.iter().find_map(|failed| failed.resource.namespace.as_deref());
    if let Some(namespace) = namespace.filter(|namespace| !namespace.is_empty()) {
        let look = look_at(cluster).words("get pods,events").namespace(namespace);
        let effect = format!("shows why the resources are not ready on {cluster}");
        finding = finding.command(look.effect(effect).build());
    }
    finding
}

/// Says whether the binding is already as the run would write it, so that the run only checks it.
fn is_taken(run: &Run, binding: &Binding) -> bool {
    binding.snapshot.as_deref() == run.snapshot_name().as_deref()
        && binding.state.as_deref() == Some("Bound")
        && binding.current("RolloutStarted").is_some_and(|started| started.is_true())
}
