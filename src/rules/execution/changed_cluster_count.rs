//! FL0203 changed-cluster-count.

use crate::declare_rule;
use crate::facts::after_repair::Repair;
use crate::finding::{Finding, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::model::read::Text;
use crate::model::run::Run;
use crate::rule::Cx;
use crate::rules::run_failure::{ClaimedMessages, foretold, living_runs, report_causes};
use crate::source::Span;

declare_rule! {
    /// A number of clusters that was changed after the run was initialized.
    ///
    /// ## Why it matters
    /// Changing `numberOfClusters` creates no new policy snapshot, it changes an annotation of the latest one. A run records
    /// the number and fails permanently when it finds another.
    ///
    /// ## What to do
    /// Create a new run, or restore the number before the run checks again.
    pub static CHANGED_CLUSTER_COUNT = Rule {
        code: "FL0203",
        name: "changed-cluster-count",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::PolicySnapshot, Kind::Placement],
        check: changed_cluster_count,
    }
}

/// The number of clusters was changed.
const COUNT_CHANGED: ClaimedMessages = &[id::VAL_CLUSTER_COUNT, id::VAL_CLUSTER_COUNT_CSUR];

fn changed_cluster_count(cx: &mut Cx<'_>) {
    report_causes(cx, COUNT_CHANGED, Repair::Run, |cx, cause| {
        let run = cause.run;
        let values = cause.value("recorded").zip(cause.value("latest"));
        let count = cx.find_placement(run).and_then(|placement| placement.policy.count);
        describe(run, wanted(cx, run), cause.span, values)
            .also(cause.span, cause.label())
            .also_at(count.map(|count| count.span), "the number at capture")
    });
    for run in living_runs(cx) {
        let (Some(recorded), Some(wanted)) = (run.cluster_count, wanted(cx, run)) else { continue };
        if is_on_latest_policy(cx, run) && wanted.parse().ok() != Some(recorded.value) {
            let old = recorded.value.to_string();
            let finding = describe(run, Some(wanted), recorded.span, Some((&old, wanted)));
            let outlook = foretold(cx, run, " unless the number is restored before");
            cx.report(finding.outlook(outlook));
        }
    }
}

fn wanted<'g>(cx: &Cx<'g>, run: &Run) -> Option<&'g Text> {
    cx.find_latest_policy(run.meta.namespace(), run.placement.as_deref()?)?.wanted_clusters()
}

fn is_on_latest_policy(cx: &Cx<'_>, run: &Run) -> bool {
    let placement = run.placement.as_deref().unwrap_or_default();
    let latest = cx.find_latest_policy(run.meta.namespace(), placement);
    let used = run.policy_index_used.as_ref().map(|used| &used.value);
    used.is_some() && latest.and_then(|policy| policy.index()).map(|index| &index.value) == used
}

fn describe(
    run: &Run,
    wanted: Option<&Text>,
    fallback: Span,
    values: Option<(&str, &str)>,
) -> Finding {
    let name = run.meta.name();
    let numbers = values.map(|(old, new)| format!(" from {old} to {new}")).unwrap_or_default();
    let place = run.cluster_count.map_or(fallback, |count| count.span);
    CHANGED_CLUSTER_COUNT
        .at(place, format!("{name} started with this number"))
        .also_at(wanted.map(|wanted| wanted.span), "the number that the policy wants since")
        .message(format!(
            "Someone changed the number of clusters of {}{numbers} while {name} was under way.",
            run.show_placement(),
        ))
        .why("A run records how many clusters the policy asks for. Any other number ends it.")
}
