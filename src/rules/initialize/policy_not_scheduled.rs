//! FL0111 policy-not-scheduled.

use crate::declare_rule;
use crate::facts::after_repair::Repair;
use crate::finding::{Finding, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::kube::time::show_duration;
use crate::model::condition::Condition;
use crate::model::snapshot::PolicySnapshot;
use crate::rule::Cx;
use crate::rules::commands::latest_policy;
use crate::rules::run_failure::{ClaimedMessages, RunFailureCause, causes};

declare_rule! {
    /// A run that checked while its placement was not scheduled.
    ///
    /// ## Why it matters
    /// A run needs the latest policy snapshot with `Scheduled` True at its generation, when it is initialized and at
    /// every later check. One moment of False is enough to end it: a placement that wants more clusters than fit, a run
    /// that was created in the same second as its placement, or a scheduler that took the clusters for gone because no
    /// heartbeat had come through for five minutes.
    ///
    /// ## What to do
    /// Wait until the placement says Scheduled True, or correct its policy. Then create a new run.
    pub static POLICY_NOT_SCHEDULED = Rule {
        code: "FL0111",
        name: "policy-not-scheduled",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::PolicySnapshot, Kind::Placement],
        check: policy_not_scheduled,
    }
}

/// The policy is not scheduled.
const NOT_SCHEDULED: ClaimedMessages = &[
    id::ERR_POLICY_NOT_SCHEDULED,
    id::ERR_NO_LATEST_POLICY,
    id::ERR_NO_LATEST_POLICY_V01,
    id::ERR_NO_LATEST_POLICY_CSUR,
];

/// What the scheduler says at capture.
struct Verdict<'g> {
    /// The condition that is still not True.
    unmet: Option<&'g Condition>,
    /// The condition, if it is True by now.
    met: Option<&'g Condition>,
}

fn policy_not_scheduled(cx: &mut Cx<'_>) {
    for cause in causes(cx, NOT_SCHEDULED) {
        let verdict = verdict(cx, &cause);
        let repair = if verdict.met.is_some() { Repair::Run } else { Repair::Policy };
        let finding = cause.finish_failed_run(cx, describe(cx, &cause, &verdict), repair);
        cx.report(finding);
    }
}

fn verdict<'g>(cx: &Cx<'g>, cause: &RunFailureCause<'_>) -> Verdict<'g> {
    let run = cause.run;
    let name = run.placement.as_deref().unwrap_or_default();
    let policy = cx.find_latest_policy(run.meta.namespace(), name);
    let scheduled = policy.and_then(PolicySnapshot::scheduled);
    let placement = cx.find_placement(run).and_then(|placement| placement.condition("Scheduled"));
    let not_met = |condition: &&Condition| !condition.is_true();
    let unmet = scheduled.filter(not_met).or(placement.filter(not_met));
    let met = scheduled.or(placement).filter(|_| unmet.is_none());
    Verdict { unmet, met }
}

fn describe(cx: &Cx<'_>, cause: &RunFailureCause<'_>, verdict: &Verdict<'_>) -> Finding {
    let run = cause.run;
    let name = run.placement.as_deref().unwrap_or_default();
    let title = run.meta.title();
    // What is still not scheduled was not simply early.
    let message = match gap(cx, cause).filter(|_| verdict.met.is_some()) {
        Some(gap) => format!(
            "{title} started {gap} after {}, before the scheduler had picked clusters.",
            run.show_placement()
        ),
        None => format!(
            "{} was not fully scheduled when {} checked it.",
            run.placement_title(),
            run.meta.name()
        ),
    };
    let finding = POLICY_NOT_SCHEDULED
        .at(cause.span, cause.label())
        .message(message)
        .why(
            "A run needs a policy snapshot with Scheduled True at every check. One moment without \
             it ends the run.",
        )
        .about(Topic::placement_of(run, name));
    if let Some(condition) = verdict.unmet {
        let says = condition.message().trim_end_matches('.');
        return finding.also(condition.best_span(), "still not scheduled at capture").why(format!(
            "A run needs a policy snapshot with Scheduled True. The scheduler says: {says}."
        ));
    }
    match verdict.met {
        Some(met) => {
            let since = met.since.map_or(met.status.span, |since| since.span);
            finding.also(since, "scheduled since then")
        }
        None => finding.command(latest_policy(&run.meta.key, run.placement.as_deref())),
    }
}

/// Returns how soon after its placement the run was created, where that is telling.
fn gap(cx: &Cx<'_>, cause: &RunFailureCause<'_>) -> Option<String> {
    let created = cause.run.meta.created?.value;
    let failed = cause.condition.since?.value;
    let placement = cx.find_placement(cause.run)?.meta.created?.value;
    let gap = created.duration_since(placement);
    let soon = failed.duration_since(created).as_secs() < 60 && (0..60).contains(&gap.as_secs());
    (cause.is_early() && soon).then(|| show_duration(gap))
}
