//! FL0721 outdated-availability.

use crate::declare_rule;
use crate::facts::failure::FailedStep;
use crate::finding::{Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::sentence::member_name;

declare_rule! {
    /// A workload that is available on the member while the Work still says that it is not.
    ///
    /// ## Why it matters
    /// The agent looks at an unavailable object with growing pauses, up to 15 minutes, so the report can lag
    /// behind. Nothing is broken any more.
    ///
    /// ## What to do
    /// Wait for the next look. Any change of the Work makes the agent look at once.
    pub static OUTDATED_AVAILABILITY = Rule {
        code: "FL0721",
        name: "outdated-availability",
        severity: Severity::Warning,
        reads: &[Kind::Work, Kind::Deployment, Kind::StatefulSet, Kind::DaemonSet],
        check: outdated_availability,
    }
}

fn outdated_availability(cx: &mut Cx<'_>) {
    for failure in cx.failures().iter().filter(|failure| failure.step == FailedStep::Availability) {
        let Some(workload) = cx.find_workload(&failure.object) else { continue };
        let Some(ready) =
            workload.count("availableReplicas").or_else(|| workload.count("numberAvailable"))
        else {
            continue;
        };
        // A table may count a pod as available that is not ready by another of its columns.
        let unready = workload.count("readyReplicas").zip(workload.replicas);
        let unready = unready.is_some_and(|(ready, wanted)| ready.value < wanted.value);
        if unready || workload.shortfall().is_some() {
            continue;
        }
        let mut finding = OUTDATED_AVAILABILITY
            .at(failure.condition.best_span(), "the last report of the member agent")
            .also(ready.span, "all pods are available")
            .message(format!(
                "{} on {} is available by now. The report that it is not is older.",
                failure.object,
                member_name(failure.cluster())
            ))
            .why(
                "The member agent checks an unavailable object with growing pauses, so its report \
                  lags behind.",
            )
            .then("The member agent checks again by itself within 15m.")
            .recover(Recoverability::ResumesByItself);
        if let Some(placement) = &failure.placement {
            let cluster = failure.object.cluster.clone();
            finding = finding.explains(Topic::PlacementCluster(placement.clone(), cluster));
        }
        cx.report(finding);
    }
}
