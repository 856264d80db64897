//! FL0305 overwritten-cluster.

use crate::declare_rule;
use crate::finding::Topic;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;

declare_rule! {
    /// A cluster that a run has finished and that has another version since.
    ///
    /// ## Why it matters
    /// A run never looks again at a cluster that it has finished. If somebody else changes the binding, the run goes on and
    /// may end well with a fleet of mixed versions.
    ///
    /// ## What to do
    /// Make a new run for the version that is wanted everywhere.
    pub static OVERWRITTEN_CLUSTER = Rule {
        code: "FL0305",
        name: "overwritten-cluster",
        severity: Severity::Warning,
        reads: &[Kind::Run, Kind::Binding],
        check: overwritten_cluster,
    }
}

fn overwritten_cluster(cx: &mut Cx<'_>) {
    for run in cx.runs().iter().filter(|run| run.is_initialized() && !run.is_terminal()) {
        let Some(wanted) = run.snapshot_name() else { continue };
        for cluster in run
            .stages
            .iter()
            .flat_map(|stage| &stage.clusters)
            .filter(|cluster| cluster.has_succeeded())
        {
            let Some(binding) = cx.find_binding(run, &cluster.name) else { continue };
            let Some(snapshot) =
                binding.snapshot.as_ref().filter(|name| !name.is_empty() && ***name != *wanted)
            else {
                continue;
            };
            let mut finding = OVERWRITTEN_CLUSTER
                .at(snapshot.span, "another version than the run put there")
                .also_at(run.index_used.as_ref().map(|index| index.span), "the run's version")
                .message(format!(
                    "cluster {} was finished by {} with {wanted}, but its binding is on {} since",
                    &*cluster.name,
                    run.meta.name(),
                    &**snapshot,
                ))
                .why("a run never looks again at a cluster that it has finished, so it will not notice")
                .recover(Recoverability::WaitsForPerson)
                .about(Topic::versions_of(run))
                .explains(Topic::takeover_of(run));
            if let Some(started) = binding.condition("RolloutStarted") {
                finding = finding.also(started.best_span(), "who changed it");
            }
            cx.report(finding);
        }
    }
}
