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
                .message(format!("{} has grown too large: details of its report were dropped", work.meta.key))
                .why("the conditions of the objects are there, lists of differences are not; the objects on the member tell")
                .recover(Recoverability::WaitsForPerson),
        );
    }
    for binding in cx.bindings() {
        let Some((name, list)) = full(binding) else { continue };
        let Some(last) = list.last() else { continue };
        cx.report(
            TRIMMED_REPORT
                .at(last.span, "the hundredth, and the last that fits")
                .message(format!(
                    "{name} of {} is full: more than these 100 objects may be concerned",
                    binding.meta.name()
                ))
                .why("a binding lists 100 at most; its Works list all of them")
                .recover(Recoverability::WaitsForPerson)
                .command(works_command(binding.cluster())),
        );
    }
    // The placement's copy is as long as the binding's.
    let alone = cx.bindings().is_empty();
    for placement in cx.placements().iter().filter(|_| alone) {
        for cluster in placement.clusters.iter().filter(|cluster| cluster.failed.len() >= MOST) {
            cx.report(
                TRIMMED_REPORT
                    .at(cluster.span, "100 entries")
                    .message(format!(
                        "failedPlacements of {} on {} is full: more may have failed",
                        placement.meta.key,
                        cluster.name()
                    ))
                    .why("a placement lists 100 at most per cluster; the Works list all of them")
                    .recover(Recoverability::WaitsForPerson)
                    .command(works_command(cluster.name())),
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
