//! FL0505 unanswered-approval.

use crate::declare_rule;
use crate::facts::gate::{Answer, answer};
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::commands::hub_agent_command;
use crate::rules::held::liveness::weigh;
use jiff::SignedDuration;

/// Twice the interval at which a waiting run is looked at, for a busy hub.
const PATIENCE: SignedDuration = SignedDuration::from_mins(2);

declare_rule! {
    /// A valid approval that the controller has not taken.
    ///
    /// ## Why it matters
    /// A waiting run looks at its gate at least once a minute and at once when the approval changes. An approval
    /// that is right in every field and still not accepted minutes later means that nobody is looking: hub-agent
    /// is down, has lost its leadership, or is held up.
    ///
    /// ## What to do
    /// Look at hub-agent: is it running, does it hold the lease, what does its log say about this run?
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
        let Some(request) =
            cx.find_request_at(gate).filter(|request| answer(request) == Answer::Given)
        else {
            continue;
        };
        // A table row shows no generation: the approval may be stale.
        if request.meta.generation.is_none() {
            continue;
        }
        let Some(approved) = request.approved() else { continue };
        let Some(since) = approved.since else { continue };
        let Some(age) = cx.surely_over(since.value, PATIENCE) else {
            continue;
        };
        let finding =
            UNANSWERED_APPROVAL
                .at(since.span, format!("approved {} before the capture", age.show()))
                .also(gate.progress.best_span(), "and still waiting")
                .message(format!(
                    "{} was approved {} before the capture and is not accepted: the controller does not look at {}",
                    request.meta.name(),
                    age.show(),
                    gate.run.meta.name(),
                ))
                .why("a waiting run is looked at every minute; an approval that is right and not taken means that hub-agent is not working")
                .recover(Recoverability::ResumesAfterRepair)
                .command(hub_agent_command())
                .explains(gate.topic());
        let finding = weigh(cx, finding);
        cx.report(finding);
    }
}
