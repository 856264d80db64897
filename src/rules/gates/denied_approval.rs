//! FL0506 denied-approval.

use crate::declare_rule;
use crate::facts::gate::{Answer, answer};
use crate::finding::{Finding, Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::model::approval::ApprovalRequest;
use crate::model::condition::Condition;
use crate::rule::Cx;
use crate::rules::commands::{patch_approval, set_state};

declare_rule! {
    /// An approval that a person refused.
    ///
    /// ## Why it matters
    /// `Approved` False is a word between people. The controller knows only "not approved yet" and keeps the run
    /// waiting for ever.
    ///
    /// ## What to do
    /// Approve it when the objection is gone, or set the run to Stop, or delete it.
    pub static DENIED_APPROVAL = Rule {
        code: "FL0506",
        name: "denied-approval",
        severity: Severity::Warning,
        reads: &[Kind::ApprovalRequest, Kind::Run],
        check: denied_approval,
    }
}

fn denied_approval(cx: &mut Cx<'_>) {
    for request in cx.approval_requests() {
        // Without the run nobody knows whether it still waits.
        if answer(request) == Answer::Denied && cx.find_run_of(request).is_none() {
            cx.report(describe_alone(request));
        }
    }
    for gate in cx.open_gates() {
        let Some(request) =
            cx.find_request_at(gate).filter(|request| answer(request) == Answer::Denied)
        else {
            continue;
        };
        let Some(approved) = request.approved() else { continue };
        let word = word_of(approved);
        let mut finding = DENIED_APPROVAL
            .at(approved.status.span, "refused")
            .message(format!(
                "the approval of {} was refused (Approved False: {word}), so {} waits {} for ever",
                request.meta.name(),
                gate.run.meta.name(),
                gate.show(),
            ))
            .why("the controller does not know a refusal, only that no approval has come yet")
            .recover(Recoverability::WaitsForPerson)
            .command(patch_approval(request, request.meta.generation().unwrap_or(1)))
            .command(set_state(&gate.run.meta.key, "Stop"))
            .explains(gate.topic());
        if let Some(message) = &approved.message {
            finding = finding.also(message.span, "what was said");
        }
        cx.report(
            finding.also(gate.progress.best_span(), format!("the run waits {}", gate.show())),
        );
    }
}

/// Returns what was said with a refusal.
fn word_of(approved: &Condition) -> &str {
    approved.message.as_deref().or(approved.reason.as_deref()).unwrap_or_default()
}

fn describe_alone(request: &ApprovalRequest) -> Finding {
    let approved = request.approved();
    let place = approved.map_or(request.meta.name_span, |approved| approved.status.span);
    let word = approved.map(word_of).unwrap_or_default();
    DENIED_APPROVAL
        .at(place, "refused")
        .also_at(approved.and_then(|approved| approved.message.as_ref()).map(|text| text.span), "what was said")
        .message(format!(
            "the approval of {} was refused (Approved False: {word}); the run waits there until somebody approves",
            request.show(),
        ))
        .why("the controller does not know a refusal, only that no approval has come yet")
        .recover(Recoverability::WaitsForPerson)
        .command(patch_approval(request, request.meta.generation().unwrap_or(1)))
}
