//! FL0406 hanging-deletion.

use crate::declare_rule;
use crate::finding::Topic;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::commands::show_command;
use jiff::SignedDuration;

/// The work generator looks again after 30 seconds; several rounds are normal.
const PATIENCE: SignedDuration = SignedDuration::from_mins(3);

declare_rule! {
    /// A deletion stage that does not get a binding away.
    ///
    /// ## Why it matters
    /// The last stage of a run removes the bindings of clusters that are no longer selected. It has no stuck
    /// detection: if a binding does not go, the run makes "progress" for ever.
    ///
    /// ## What to do
    /// Look at the finalizers that hold the binding. `work-cleanup` waits for the Works of the cluster,
    /// `scheduler-crb-cleanup` for the scheduler.
    pub static HANGING_DELETION = Rule {
        code: "FL0406",
        name: "hanging-deletion",
        severity: Severity::Warning,
        reads: &[Kind::Run, Kind::Binding],
        check: hanging_deletion,
    }
}

fn hanging_deletion(cx: &mut Cx<'_>) {
    for run in cx.runs().iter().filter(|run| run.is_active()) {
        let Some(stage) = &run.deletion_stage else { continue };
        for cluster in stage.clusters.iter().filter(|cluster| cluster.is_in_flight()) {
            let Some(binding) = cx.find_binding(run, &cluster.name) else { continue };
            let Some(deleting) = binding.meta.deleting else { continue };
            let Some(age) = cx.surely_over(deleting.value, PATIENCE) else {
                continue;
            };
            let finalizers: Vec<&str> =
                binding.meta.finalizers.iter().map(|text| &**text).collect();
            let mut finding = HANGING_DELETION
                .at(deleting.span, format!("deleted {} before the capture", age.show()))
                .message(format!(
                    "the deletion stage of {} waits for the binding of cluster {}, which has been going for {} (held by {})",
                    run.meta.name(),
                    &*cluster.name,
                    age.show(),
                    finalizers.join(", "),
                ))
                .why("the deletion stage has no stuck detection; the finalizers tell who has to finish first")
                .recover(Recoverability::ResumesAfterRepair)
                .command(show_command(&binding.meta.key))
                .about(Topic::RunCluster(run.meta.key.clone(), cluster.name.value.clone()));
            for finalizer in &binding.meta.finalizers {
                finding = finding.also(finalizer.span, "holds it");
            }
            cx.report(finding);
        }
    }
}
