//! FL0505 unanswered-approval.

use crate::declare_rule;
use crate::facts::gate::{ApprovalState, answer};
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::commands::hub_agent_command;
use crate::rules::stuck::agent_liveness::lower_if_agent_alive;
use jiff::SignedDuration;

/// Twice the interval at which a waiting run is checked, for a busy hub.
const PATIENCE: SignedDuration = SignedDuration::from_mins(2);

declare_rule! {
    /// A valid approval that the controller has not taken.
    ///
    /// ## Why it matters
    /// A waiting run checks its gate at least once a minute and at once when the approval changes. An approval
    /// that is right in every field and still not accepted minutes later means that no controller checks: the hub agent
    /// is down, has lost its leadership, or is held up.
    ///
    /// ## What to do
    /// Check the hub agent: is it running, does it hold the lease, what does its log say about this run?
    pub static UNANSWERED_APPROVAL = Rule {
        code: "FL0505",
        name: "unanswered-approval",
        severity: Severity::Error,
        reads: &[Kind::ApprovalRequest, Kind::MemberCluster],
        check: unanswered_approval,
    }
}

fn unanswered_approval(cx: &mut Cx<'_>) {
    for gate in cx.open_gates() {
        let given = cx.find_request_at(gate).filter(|it| answer(it) == ApprovalState::Given);
        // A table row shows no generation: the approval may be stale.
        let Some(request) = given.filter(|it| it.meta.generation.is_some()) else { continue };
        let Some(since) = request.approved().and_then(|approved| approved.since) else { continue };
        let Some(age) = cx.surely_over(since.value, PATIENCE) else { continue };
        let (name, age) = (request.meta.name(), age.show());
        let finding = UNANSWERED_APPROVAL
            .at(since.span, format!("approved {age} before the capture"))
            .also(gate.progress.best_span(), "and the run still waits")
            .message(format!("The hub agent has not accepted the approval of {name} for {age}."))
            .why(
                "The controller checks a waiting run every minute. A valid approval that stays \
                 without an answer means that the hub agent does not work.",
            )
            .then(format!(
                "{} continues by itself once the hub agent works.",
                gate.run.meta.title()
            ))
            .recover(Recoverability::ResumesAfterRepair)
            .command(hub_agent_command())
            .explains(gate.topic());
        let finding = lower_if_agent_alive(cx, finding);
        cx.report(finding);
    }
}
