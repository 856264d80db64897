//! FL0111 policy-not-scheduled.

use crate::declare_rule;
use crate::finding::Topic;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::kube::time::show_duration;
use crate::model::snapshot::PolicySnapshot;
use crate::rule::Cx;
use crate::rules::failure::{Cause, Claim, causes};

declare_rule! {
    /// A run that looked while its placement was not scheduled.
    ///
    /// ## Why it matters
    /// A run needs the latest policy snapshot with `Scheduled` True at its generation, when it is initialized and at
    /// every later look. One moment of False is enough to end it: a placement that wants more clusters than fit, a run
    /// that was created in the same second as its placement, or a scheduler that took the clusters for gone because no
    /// heartbeat had come through for five minutes.
    ///
    /// ## What to do
    /// Make scheduling succeed (see the policy snapshot's condition), then make a new run.
    pub static POLICY_NOT_SCHEDULED = Rule {
        code: "FL0111",
        name: "policy-not-scheduled",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::PolicySnapshot, Kind::Placement],
        check: policy_not_scheduled,
    }
}

/// The policy is not scheduled.
const NOT_SCHEDULED: Claim = &[
    id::ERR_POLICY_NOT_SCHEDULED,
    id::ERR_NO_LATEST_POLICY,
    id::ERR_NO_LATEST_POLICY_V01,
    id::ERR_NO_LATEST_POLICY_CSUR,
];

fn policy_not_scheduled(cx: &mut Cx<'_>) {
    for cause in causes(cx, NOT_SCHEDULED) {
        let run = cause.run;
        let name = run.placement.as_deref().unwrap_or_default();
        let policy = cx.find_latest_policy(run.meta.namespace(), name);
        let scheduled = policy.and_then(PolicySnapshot::scheduled);
        let unmet = scheduled.filter(|condition| !condition.is_true());
        let placement =
            cx.find_placement(run).and_then(|placement| placement.condition("Scheduled"));
        let mut finding = POLICY_NOT_SCHEDULED
            .at(cause.span, "looked while the policy was not scheduled")
            .message(format!("{} failed: placement {name} was not fully scheduled when the run looked{}", run.meta.name(), moment(cx, &cause)))
            .why("a run needs the latest policy snapshot with Scheduled True at every look; one moment without it ends the run")
            .recover(Recoverability::RunIsDead)
            .about(Topic::placement_of(run, name));
        if let Some(condition) = unmet.or(placement.filter(|condition| !condition.is_true())) {
            finding = finding
                .also(condition.best_span(), "still not scheduled at capture")
                .why(format!("the scheduler says: {}", condition.message()));
        } else if let Some(condition) = scheduled.or(placement) {
            let since = condition.since.map_or(condition.status.span, |since| since.span);
            finding = finding.also(since, "scheduled (again) since then");
        }
        let finding = cause.settle(cx, finding);
        cx.report(finding);
    }
}

/// Returns how soon after the run was created it looked, where that is telling.
fn moment(cx: &Cx<'_>, cause: &Cause<'_>) -> String {
    let created = cause.run.meta.created.map(|created| created.value);
    let failed = cause.condition.since.map(|since| since.value);
    match created.zip(failed) {
        Some((created, failed))
            if !cause.is_late() && failed.duration_since(created).as_secs() < 60 =>
        {
            let placement =
                cx.find_placement(cause.run).and_then(|placement| placement.meta.created);
            let gap = placement.map(|placement| created.duration_since(placement.value).abs());
            gap.filter(|gap| gap.as_secs() < 60)
                .map(|gap| {
                    format!(" (the run was created {} after its placement)", show_duration(gap))
                })
                .unwrap_or_default()
        }
        _ => String::new(),
    }
}
