//! FL0726 trimmed-report.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::model::binding::Binding;
use crate::model::placement::FailedPlacement;
use crate::rule::Cx;
use crate::rules::commands::works_command;

declare_rule! {
    /// A report that was cut because it grew too large.
    ///
    /// ## Why it matters
    /// Lists of failed, drifted and differing objects hold 100 entries at most, and a Work near the size limit of the API
    /// server drops details (`StatusTrimmed`). What is missing there may still be wrong.
    ///
    /// ## What to do
    /// Rely on the Works, or on the objects on the member. Splitting the placement makes reports whole again.
    pub static TRIMMED_REPORT = Rule {
        code: "FL0726",
        name: "trimmed-report",
        severity: Severity::Note,
        reads: &[Kind::Work, Kind::Binding, Kind::Placement],
        check: trimmed_report,
    }
}

/// What a binding and a placement list at most (KubeFleet pkg/controllers/workgenerator).
const MOST: usize = 100;

fn trimmed_report(cx: &mut Cx<'_>) {
    for work in cx.works() {
        let Some(trimmed) = work.condition("StatusTrimmed").filter(|c| c.is_true()) else {
            continue;
        };
        cx.report(
            TRIMMED_REPORT
                .at(trimmed.best_span(), "details were dropped")
                .of_input()
                .message(format!(
                    "The status of {} is too large. The member agent dropped details of it.",
                    work.meta.key
                ))
                .why(
                    "The conditions of the objects are there, lists of differences are not. Only \
                      the objects on the member show those.",
                )
                .then("A smaller placement would report everything.")
                .recover(Recoverability::WaitsForPerson),
        );
    }
    for binding in cx.bindings() {
        let Some((name, list)) = full(binding) else { continue };
        let Some(last) = list.last() else { continue };
        cx.report(
            TRIMMED_REPORT
                .at(last.span, "the hundredth entry")
                .of_input()
                .message(format!(
                    "{name} of binding {} is full: more than these 100 objects may be concerned.",
                    binding.meta.name()
                ))
                .why("A binding lists 100 objects at most. Its Works list all of them.")
                .then("No action needed for the list itself.")
                .recover(Recoverability::WaitsForPerson)
                .step(works_command(binding.cluster()), "lists every object that failed"),
        );
    }
    // The placement's copy is as long as the binding's.
    let alone = cx.bindings().is_empty();
    for placement in cx.placements().iter().filter(|_| alone) {
        for cluster in placement.clusters.iter().filter(|cluster| cluster.failed.len() >= MOST) {
            cx.report(
                TRIMMED_REPORT
                    .at(cluster.span, "100 entries")
                    .of_input()
                    .message(format!(
                        "failedPlacements of {} on {} is full: more objects may have failed.",
                        placement.meta.key,
                        cluster.name()
                    ))
                    .why("A placement lists 100 objects per cluster at most. The Works list all.")
                    .then("No action needed for the list itself.")
                    .recover(Recoverability::WaitsForPerson)
                    .step(works_command(cluster.name()), "lists every object that failed"),
            );
        }
    }
}

fn full(binding: &Binding) -> Option<(&'static str, &[FailedPlacement])> {
    let lists = [
        ("failedPlacements", binding.failed.as_slice()),
        ("driftedPlacements", &binding.drifted),
        ("diffedPlacements", &binding.diffed),
    ];
    lists.into_iter().find(|(_, list)| list.len() >= MOST)
}
