//! FL0204 changed-stage-clusters.

use crate::declare_rule;
use crate::facts::after_repair::Repair;
use crate::finding::{Finding, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::model::run::Run;
use crate::rule::Cx;
use crate::rules::run_failure::{
    ClaimedMessages, RunFailureCause, foretold, living_runs, report_causes,
};
use crate::rules::sentence::join_names;
use crate::rules::staging::{ClusterChange, MovedCluster, moved_clusters};
use crate::source::Span;

declare_rule! {
    /// Stages that do not hold the clusters any more that the run was initialized with.
    ///
    /// ## Why it matters
    /// At every check the controller computes the stages again, from the frozen strategy and the present labels and bindings,
    /// and compares them with the run's own lists, finished stages included. A cluster that left, was unscheduled or got other
    /// labels ends the run permanently.
    ///
    /// ## What to do
    /// Create a new run. If the run has not checked yet, restore the labels at once.
    pub static CHANGED_STAGE_CLUSTERS = Rule {
        code: "FL0204",
        name: "changed-stage-clusters",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::Binding, Kind::MemberCluster, Kind::Strategy],
        check: changed_stage_clusters,
    }
}

/// The clusters of a stage changed.
const STAGES_CHANGED: ClaimedMessages = &[
    id::VAL_STAGE_NUMBER,
    id::VAL_STAGE_NUMBER_CSUR,
    id::VAL_STAGE_NAME,
    id::VAL_STAGE_NAME_CSUR,
    id::VAL_STAGE_CLUSTER_NUMBER,
    id::VAL_STAGE_CLUSTER_NAME,
];

fn changed_stage_clusters(cx: &mut Cx<'_>) {
    report_causes(cx, STAGES_CHANGED, Repair::Run, |cx, cause| {
        let moved = moved_clusters(cx, cause.run);
        let finding = describe(cause.run, &moved, cause.span, words(cause));
        finding.also(cause.span, cause.label())
    });
    for run in living_runs(cx) {
        let moved = moved_clusters(cx, run);
        // Labels that fit no cluster of the run at all are of another fleet or another day.
        let clusters = run.stages.iter().map(|stage| stage.clusters.len()).sum();
        if let Some(first) = moved.first().filter(|_| moved.len() < clusters) {
            let finding = describe(run, &moved, first.span, String::new());
            let outlook = foretold(cx, run, "");
            cx.report(finding.outlook(outlook));
        }
    }
}

/// Returns what the run says, for where the bundle does not show which cluster moved.
fn words(cause: &RunFailureCause<'_>) -> String {
    let name = cause.run.meta.name();
    format!("The clusters in the stages changed while {name} was under way: {}.", cause.words())
}

/// Says what happened, once for all clusters to which the same happened.
fn sentences(moved: &[MovedCluster]) -> String {
    let mut alike: Vec<(&ClusterChange, Vec<&str>)> = Vec::new();
    for one in moved {
        match alike.iter_mut().find(|(change, _)| **change == one.change) {
            Some((_, clusters)) => clusters.push(&one.cluster),
            None => alike.push((&one.change, vec![&one.cluster])),
        }
    }
    let sentence = |(change, clusters): &(&ClusterChange, Vec<&str>)| {
        format!("{} {}.", join_names(clusters), change.words(clusters.len() > 1))
    };
    alike.iter().map(sentence).collect::<Vec<_>>().join(" ")
}

fn describe(run: &Run, moved: &[MovedCluster], fallback: Span, otherwise: String) -> Finding {
    let name = run.meta.name();
    let message = match moved {
        [] => otherwise,
        [one] => {
            format!("{} {} while {name} was under way.", one.cluster, one.change.words(false))
        }
        some => {
            format!("Clusters of {name} moved while it was under way. {}", sentences(some))
        }
    };
    let place = moved.first().map_or(fallback, |moved| moved.span);
    let mut finding = CHANGED_STAGE_CLUSTERS
        .at(place, format!("{name} has it in this stage"))
        .message(message)
        .why(
            "A run computes its stages again at every check, from the labels and the bindings of \
             the clusters. They must hold the same clusters.",
        );
    if let [MovedCluster { event: Some(event), .. }] = moved {
        finding = finding.of_event(event.clone());
    }
    for moved in moved {
        for (span, label) in &moved.evidence {
            finding = finding.also(*span, label.clone());
        }
    }
    finding
}
