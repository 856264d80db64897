//! FL0203 changed-cluster-count.

use crate::declare_rule;
use crate::finding::Finding;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::model::read::Text;
use crate::model::run::Run;
use crate::rule::Cx;
use crate::rules::failure::{Claim, causes, settle};

declare_rule! {
    /// A number of clusters that was changed after the run was initialized.
    ///
    /// ## Why it matters
    /// Changing `numberOfClusters` makes no new policy snapshot, it changes an annotation of the latest one. A run records
    /// the number and fails for good when it finds another.
    ///
    /// ## What to do
    /// Make a new run, or restore the number before the run looks again.
    pub static CHANGED_CLUSTER_COUNT = Rule {
        code: "FL0203",
        name: "changed-cluster-count",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::PolicySnapshot, Kind::Placement],
        check: changed_cluster_count,
    }
}

/// The number of clusters was changed.
const COUNT_CHANGED: Claim = &[id::VAL_CLUSTER_COUNT, id::VAL_CLUSTER_COUNT_CSUR];

fn changed_cluster_count(cx: &mut Cx<'_>) {
    for cause in causes(cx, COUNT_CHANGED) {
        let run = cause.run;
        let values = cause.value("latest").zip(cause.value("recorded"));
        let numbers = values
            .map(|(latest, recorded)| format!(" (from {recorded} to {latest})"))
            .unwrap_or_default();
        let mut finding = describe(run, wanted(cx, run), cause.span, "failed", &numbers)
            .also(cause.span, "what the run says");
        let count = cx.find_placement(run).and_then(|placement| placement.policy.count);
        finding = finding.also_at(count.map(|count| count.span), "the number as it is");
        let finding = settle(cx, run, finding.recover(Recoverability::RunIsDead));
        cx.report(finding);
    }
    for run in cx.runs().iter().filter(|run| run.is_initialized() && !run.is_terminal()) {
        let (Some(recorded), Some(wanted)) = (run.cluster_count, wanted(cx, run)) else { continue };
        let same_policy = cx
            .find_latest_policy(run.meta.namespace(), run.placement.as_deref().unwrap_or_default())
            .and_then(|policy| policy.index())
            .is_some_and(|index| {
                run.policy_index_used.as_ref().is_some_and(|used| used.value == index.value)
            });
        if same_policy && wanted.parse().ok() != Some(recorded.value) {
            let numbers = format!(" (from {} to {})", recorded.value, &**wanted);
            let finding =
                describe(run, Some(wanted), recorded.span, "will fail at its next look", &numbers);
            cx.report(finding.recover(Recoverability::NeedsPatch));
        }
    }
}

fn wanted<'g>(cx: &Cx<'g>, run: &Run) -> Option<&'g Text> {
    cx.find_latest_policy(run.meta.namespace(), run.placement.as_deref()?)?.wanted_clusters()
}

fn describe(
    run: &Run,
    wanted: Option<&Text>,
    fallback: crate::source::Span,
    fate: &str,
    numbers: &str,
) -> Finding {
    CHANGED_CLUSTER_COUNT
        .at(run.cluster_count.map_or(fallback, |count| count.span), "the number the run was initialized with")
        .also_at(wanted.map(|wanted| wanted.span), "the number that is wanted since")
        .message(format!(
            "{} {fate}: the number of clusters of {} was changed after the run was initialized{numbers}",
            run.meta.name(),
            run.show_placement(),
        ))
        .why("a run records how many clusters the policy asks for, and any other number ends it")
}
