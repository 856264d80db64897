//! FL0305 overwritten-cluster.

use crate::declare_rule;
use crate::finding::{Finding, Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::model::binding::Binding;
use crate::model::read::Text;
use crate::model::run::Run;
use crate::rule::Cx;

declare_rule! {
    /// A cluster that a run has finished and that has another version since.
    ///
    /// ## Why it matters
    /// A run does not check a cluster again that it has finished. If someone else changes the binding, the run continues and
    /// may end well with a fleet of mixed versions.
    ///
    /// ## What to do
    /// Create a new run for the version that is wanted everywhere.
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
        let clusters = run.stages.iter().flat_map(|stage| &stage.clusters);
        for cluster in clusters.filter(|cluster| cluster.has_succeeded()) {
            let Some(binding) = cx.find_binding(run, &cluster.name) else { continue };
            let other = binding.snapshot.as_ref().filter(|name| !name.is_empty());
            let Some(snapshot) = other.filter(|name| ***name != *wanted) else { continue };
            let finding = describe(cx, run, binding, snapshot, &wanted);
            cx.report(finding);
        }
    }
}

fn describe<'g>(cx: &Cx<'g>, run: &Run, binding: &'g Binding, got: &Text, wanted: &str) -> Finding {
    let (name, cluster) = (run.meta.name(), binding.cluster());
    let writer = cx.find_writer(binding).filter(|writer| **writer != *name);
    let who = writer.as_deref().unwrap_or("Someone");
    let finding = OVERWRITTEN_CLUSTER
        .at(got.span, format!("{name} had put {wanted} here"))
        .also_at(run.index_used.as_ref().map(|index| index.span), format!("what {name} rolls out"))
        .message(format!("{who} put {} on {cluster} after {name} had finished it.", &**got))
        .why("A run does not check finished clusters again.")
        .then(format!("{} continues and leaves {cluster} as it is.", run.meta.title()))
        .recover(Recoverability::WaitsForPerson)
        .about(Topic::versions_of(run))
        .explains(Topic::takeover_of(run));
    match binding.condition("RolloutStarted").zip(writer) {
        Some((started, writer)) => {
            finding.also(started.best_span(), format!("last written by {writer}"))
        }
        None => finding,
    }
}
