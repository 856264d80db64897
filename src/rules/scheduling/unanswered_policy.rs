//! FL0611 unanswered-policy.

use jiff::SignedDuration;

use crate::declare_rule;
use crate::facts::pending_placement::PendingPlacement;
use crate::finding::{Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::commands::hub_agent_log;

declare_rule! {
    /// A placement that the scheduler does not answer.
    ///
    /// ## Why it matters
    /// The scheduler takes seconds. `SchedulePending` for minutes means that the cycle was dropped: an error of the
    /// scheduler itself is logged once (`Placement is in an unexpected state`) and the placement is not queued again.
    ///
    /// ## What to do
    /// Look into the hub agent's log for the placement, correct what it complains about, and touch the placement.
    pub static UNANSWERED_POLICY = Rule {
        code: "FL0611",
        name: "unanswered-policy",
        severity: Severity::Error,
        reads: &[Kind::Placement, Kind::PolicySnapshot],
        check: unanswered_policy,
    }
}

/// A busy scheduler may take this long.
const PATIENCE: SignedDuration = SignedDuration::from_mins(2);

fn unanswered_policy(cx: &mut Cx<'_>) {
    for &PendingPlacement { placement, span, since } in cx.pending_placements() {
        let key = &placement.meta.key;
        let waited = since.and_then(|since| cx.surely_over(since.value, PATIENCE));
        let Some(waited) = waited else { continue };
        let policy = cx.find_latest_policy(&key.namespace, &key.name);
        let verdict = policy.and_then(|policy| policy.scheduled());
        let label = match (policy, verdict) {
            (None, _) => "its policy snapshot is not in the bundle",
            (Some(_), None) => "the scheduler has written no verdict here",
            (Some(_), Some(_)) => "the last verdict of the scheduler is older",
        };
        let place = verdict
            .map(|verdict| verdict.best_span())
            .or(policy.map(|policy| policy.meta.name_span))
            .filter(|place| *place != span);
        cx.report(
            UNANSWERED_POLICY
                .at(span, format!("pending for {}", waited.show()))
                .also_at(place, label)
                .message(format!("The scheduler has not answered {key} for {}.", waited.show()))
                .why(
                    "The scheduler takes seconds. After an error of its own it drops the \
                      placement from its queue permanently; only the log of the hub agent says \
                      why.",
                )
                .then(format!(
                    "{} is scheduled again once it changes, or the hub agent restarts.",
                    key.name
                ))
                .recover(Recoverability::ResumesAfterRepair)
                .step(hub_agent_log(), "shows the error of the scheduler")
                .about(Topic::Placement(key.clone()))
                .about(Topic::HubAgent)
                .explains(Topic::Placement(key.clone())),
        );
    }
}
