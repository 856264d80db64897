//! FL0204 changed-stage-clusters.

use crate::declare_rule;
use crate::finding::Finding;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::model::run::Run;
use crate::rule::Cx;
use crate::rules::failure::{Claim, causes, settle};
use crate::rules::staging::{Moved, moved_clusters};

declare_rule! {
    /// Stages that do not hold the clusters any more that the run was initialized with.
    ///
    /// ## Why it matters
    /// At every look the controller computes the stages again, from the frozen strategy and the present labels and bindings,
    /// and compares them with the run's own lists, finished stages included. A cluster that left, was unscheduled or got other
    /// labels ends the run for good.
    ///
    /// ## What to do
    /// Make a new run. If the run has not looked yet, restore the labels at once.
    pub static CHANGED_STAGE_CLUSTERS = Rule {
        code: "FL0204",
        name: "changed-stage-clusters",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::Binding, Kind::MemberCluster, Kind::Strategy],
        check: changed_stage_clusters,
    }
}

/// The clusters of a stage changed.
const STAGES_CHANGED: Claim = &[
    id::VAL_STAGE_NUMBER,
    id::VAL_STAGE_NUMBER_CSUR,
    id::VAL_STAGE_NAME,
    id::VAL_STAGE_NAME_CSUR,
    id::VAL_STAGE_CLUSTER_NUMBER,
    id::VAL_STAGE_CLUSTER_NAME,
];

fn changed_stage_clusters(cx: &mut Cx<'_>) {
    for cause in causes(cx, STAGES_CHANGED) {
        let run = cause.run;
        let moved = moved_clusters(cx, run);
        let finding = describe(run, &moved, cause.span, &format!("failed: {}", cause.words()));
        let finding = settle(
            cx,
            run,
            finding.also(cause.span, "what the run says").recover(Recoverability::RunIsDead),
        );
        cx.report(finding);
    }
    for run in cx
        .runs()
        .iter()
        .filter(|run| run.is_initialized() && !run.is_terminal() && !run.meta.partial)
    {
        let moved = moved_clusters(cx, run);
        // Labels that fit no cluster of the run at all are of another fleet or another day.
        let clusters = run.stages.iter().map(|stage| stage.clusters.len()).sum();
        if let Some(first) = moved.first().filter(|_| moved.len() < clusters) {
            let finding = describe(
                run,
                &moved,
                first.span,
                "will fail at its next look: its stages hold other clusters by now",
            );
            cx.report(finding.recover(Recoverability::RunIsDead));
        }
    }
}

fn describe(run: &Run, moved: &[Moved], fallback: crate::source::Span, fate: &str) -> Finding {
    let names: Vec<String> =
        moved.iter().map(|moved| format!("cluster {} {}", moved.cluster, moved.why)).collect();
    let details = if names.is_empty() { String::new() } else { format!(" ({})", names.join("; ")) };
    let mut finding = CHANGED_STAGE_CLUSTERS
        .at(moved.first().map_or(fallback, |moved| moved.span), "not where the run has it")
        .message(format!("{} {fate}{details}", run.meta.name()))
        .why("the stages are computed anew at every look, from the labels and bindings of that moment, and must not have changed");
    for moved in moved {
        for (span, label) in &moved.evidence {
            finding = finding.also(*span, label.clone());
        }
    }
    finding
}
