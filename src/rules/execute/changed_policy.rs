//! FL0202 changed-policy.

use crate::declare_rule;
use crate::finding::Finding;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::model::run::Run;
use crate::model::snapshot::PolicySnapshot;
use crate::rule::Cx;
use crate::rules::failure::{Claim, causes, settle};

declare_rule! {
    /// A scheduling policy that was changed after the run was initialized.
    ///
    /// ## Why it matters
    /// Every change of a placement's policy makes a new policy snapshot. A run works on the one that was the latest when it
    /// was initialized and fails for good when it finds a later one.
    ///
    /// ## What to do
    /// Make a new run; it covers the clusters that are picked now and removes the others in its deletion stage.
    pub static CHANGED_POLICY = Rule {
        code: "FL0202",
        name: "changed-policy",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::PolicySnapshot, Kind::Placement],
        check: changed_policy,
    }
}

/// The policy was changed.
const POLICY_CHANGED: Claim = &[id::VAL_POLICY_INDEX, id::VAL_POLICY_INDEX_CSUR];

fn changed_policy(cx: &mut Cx<'_>) {
    for cause in causes(cx, POLICY_CHANGED) {
        let run = cause.run;
        let latest = latest(cx, run);
        let mut finding =
            describe(run, latest, cause.span, "failed").also(cause.span, "what the run says");
        if let Some(span) = cx.find_placement(run).and_then(|placement| placement.policy.span) {
            finding = finding.also(span, "the policy as it is");
        }
        let finding = settle(cx, run, finding.recover(Recoverability::RunIsDead));
        cx.report(finding);
    }
    for run in cx.runs().iter().filter(|run| run.is_initialized() && !run.is_terminal()) {
        let (Some(used), Some(latest)) = (&run.policy_index_used, latest(cx, run)) else {
            continue;
        };
        if latest.index().is_some_and(|index| index.value != used.value) {
            let finding = describe(run, Some(latest), used.span, "will fail at its next look");
            cx.report(finding.recover(Recoverability::RunIsDead));
        }
    }
}

fn latest<'g>(cx: &Cx<'g>, run: &Run) -> Option<&'g PolicySnapshot> {
    cx.find_latest_policy(run.meta.namespace(), run.placement.as_deref()?)
}

fn describe(
    run: &Run,
    latest: Option<&PolicySnapshot>,
    fallback: crate::source::Span,
    fate: &str,
) -> Finding {
    let index = latest.and_then(PolicySnapshot::index);
    let used = run.policy_index_used.as_ref();
    let numbers = match (used, index) {
        (Some(used), Some(index)) => {
            format!(" (policy snapshot {} is the latest, the run has {})", &**index, &**used)
        }
        _ => String::new(),
    };
    CHANGED_POLICY
        .at(used.map_or(fallback, |used| used.span), "the run was initialized with this policy")
        .also_at(index.map(|index| index.span), "the latest policy snapshot")
        .message(format!(
            "{} {fate}: the policy of {} was changed after the run was initialized{numbers}",
            run.meta.name(),
            run.show_placement(),
        ))
        .why("a run works on the policy snapshot that was the latest when it was initialized, and on no other")
}
