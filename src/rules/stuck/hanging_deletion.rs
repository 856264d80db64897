//! FL0406 hanging-deletion.

use crate::declare_rule;
use crate::finding::{Finding, Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::graph::Listing;
use crate::model::age::Age;
use crate::model::binding::Binding;
use crate::model::run::Run;
use crate::rule::Cx;
use crate::rules::commands::works_command;
use crate::source::Span;
use jiff::SignedDuration;

/// The work generator checks again after 30 seconds; several rounds are normal.
const PATIENCE: SignedDuration = SignedDuration::from_mins(3);

declare_rule! {
    /// A deletion stage that does not get a binding away.
    ///
    /// ## Why it matters
    /// The last stage of a run removes the bindings of clusters that are no longer selected. It has no stuck
    /// detection: if a binding does not go, the run says permanently that it makes progress.
    ///
    /// ## What to do
    /// Check the finalizers that hold the binding. `work-cleanup` waits for the Works of the cluster,
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
        let clusters = run.deletion_stage.iter().flat_map(|stage| &stage.clusters);
        for cluster in clusters.filter(|cluster| cluster.is_in_flight()) {
            let Some(binding) = cx.find_binding(run, &cluster.name) else { continue };
            let Some(deleting) = binding.meta.deleting else { continue };
            let Some(age) = cx.surely_over(deleting.value, PATIENCE) else { continue };
            let mut finding = describe(run, binding, deleting.span, &age);
            let works = cx.listing("Work", &format!("fleet-member-{}", &*cluster.name));
            if works == Listing::None {
                finding = finding.command(works_command(&cluster.name));
            }
            cx.report(finding);
        }
    }
}

fn describe(run: &Run, binding: &Binding, place: Span, age: &Age) -> Finding {
    let (name, cluster, age) = (run.meta.name(), binding.cluster(), age.show());
    let finalizers: Vec<&str> = binding.meta.finalizers.iter().map(|text| &**text).collect();
    let held = match finalizers.is_empty() {
        true => String::new(),
        false => format!(", held by {}", finalizers.join(", ")),
    };
    let finding = HANGING_DELETION
        .at(place, format!("deleted {age} before the capture"))
        .message(format!("The binding of {cluster} has been stuck in deletion for {age}{held}."))
        .why(format!("The deletion stage of {name} waits for it, and never reports \"stuck\"."))
        .then(format!("{} continues by itself once the binding is gone.", run.meta.title()))
        .recover(Recoverability::ResumesAfterRepair)
        .about(Topic::RunCluster(run.meta.key.clone(), cluster.into()));
    binding
        .meta
        .finalizers
        .iter()
        .fold(finding, |finding, finalizer| finding.also(finalizer.span, "holds the binding"))
}
