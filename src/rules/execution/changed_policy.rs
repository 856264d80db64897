//! FL0202 changed-policy.

use crate::declare_rule;
use crate::facts::after_repair::Repair;
use crate::finding::{Finding, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::model::run::Run;
use crate::model::snapshot::PolicySnapshot;
use crate::rule::Cx;
use crate::rules::run_failure::{ClaimedMessages, foretold, living_runs, report_causes};
use crate::source::Span;

declare_rule! {
    /// A scheduling policy that was changed after the run was initialized.
    ///
    /// ## Why it matters
    /// Every change of a placement's policy creates a new policy snapshot. A run works on the one that was the latest when it
    /// was initialized and fails permanently when it finds a later one.
    ///
    /// ## What to do
    /// Create a new run; it covers the clusters that are picked now and removes the others in its deletion stage.
    pub static CHANGED_POLICY = Rule {
        code: "FL0202",
        name: "changed-policy",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::PolicySnapshot, Kind::Placement],
        check: changed_policy,
    }
}

/// The policy was changed.
const POLICY_CHANGED: ClaimedMessages = &[id::VAL_POLICY_INDEX, id::VAL_POLICY_INDEX_CSUR];

fn changed_policy(cx: &mut Cx<'_>) {
    report_causes(cx, POLICY_CHANGED, Repair::Run, |cx, cause| {
        let run = cause.run;
        let policy = cx.find_placement(run).and_then(|placement| placement.policy.span);
        describe(run, latest(cx, run), cause.span)
            .also(cause.span, cause.label())
            .also_at(policy, "the policy at capture")
    });
    for run in living_runs(cx) {
        let (Some(used), Some(latest)) = (&run.policy_index_used, latest(cx, run)) else {
            continue;
        };
        if latest.index().is_some_and(|index| index.value != used.value) {
            let finding = describe(run, Some(latest), used.span);
            let outlook = foretold(cx, run, "");
            cx.report(finding.outlook(outlook));
        }
    }
}

fn latest<'g>(cx: &Cx<'g>, run: &Run) -> Option<&'g PolicySnapshot> {
    cx.find_latest_policy(run.meta.namespace(), run.placement.as_deref()?)
}

fn describe(run: &Run, latest: Option<&PolicySnapshot>, fallback: Span) -> Finding {
    let index = latest.and_then(PolicySnapshot::index);
    let used = run.policy_index_used.as_ref();
    let name = run.meta.name();
    let numbers = match used.zip(index).filter(|(used, index)| used.value != index.value) {
        Some((used, index)) => {
            format!(" The latest policy snapshot is {}, and {name} uses {}.", &**index, &**used)
        }
        None => String::new(),
    };
    CHANGED_POLICY
        .at(used.map_or(fallback, |used| used.span), format!("{name} uses this policy snapshot"))
        .also_at(index.map(|index| index.span), "the latest policy snapshot")
        .message(format!(
            "Someone changed the policy of {} while {name} was under way.{numbers}",
            run.show_placement(),
        ))
        .why("A run works on the policy snapshot that was the latest when it started.")
}
