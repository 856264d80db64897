//! FL0506 denied-approval.

use crate::declare_rule;
use crate::facts::gate::{ApprovalState, Gate, answer};
use crate::finding::{Finding, Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::model::approval::ApprovalRequest;
use crate::model::condition::Condition;
use crate::rule::Cx;
use crate::rules::commands::{patch_approval, set_state_for};

declare_rule! {
    /// An approval that a person refused.
    ///
    /// ## Why it matters
    /// `Approved` False is a word between people. The controller knows only "not approved yet" and keeps the run
    /// waiting permanently.
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
        // Without the run no one knows whether it still waits.
        if answer(request) == ApprovalState::Denied && cx.find_run_of(request).is_none() {
            cx.report(describe(request, None));
        }
    }
    for gate in cx.open_gates() {
        let denied = cx.find_request_at(gate).filter(|it| answer(it) == ApprovalState::Denied);
        if let Some(request) = denied {
            cx.report(describe(request, Some(gate)));
        }
    }
}

/// Returns what was said with a refusal.
fn word_of(approved: &Condition) -> &str {
    approved.message.as_deref().or(approved.reason.as_deref()).unwrap_or_default()
}

fn describe(request: &ApprovalRequest, gate: Option<&Gate<'_>>) -> Finding {
    let approved = request.approved();
    let place = approved.map_or(request.meta.name_span, |approved| approved.status.span);
    let said = approved.and_then(|approved| approved.message.as_ref()).map(|text| text.span);
    let name = request.show();
    let word = match approved.map(word_of).unwrap_or_default() {
        "" => String::new(),
        word => format!(": {word}"),
    };
    let who = gate.map_or("The run".to_owned(), |gate| gate.run.meta.title());
    let waits = gate.map_or(String::new(), |gate| format!(" {}", gate.show()));
    let generation = request.meta.generation().unwrap_or(1);
    let approve = patch_approval(request, generation, "approves after all; replaces the refusal");
    let finding = DENIED_APPROVAL
        .at(place, "refused")
        .also_at(said, "what was said")
        .message(format!("Someone refused {name} (Approved False{word})."))
        .why("The controller does not know a refusal, only that no approval has come yet.")
        .then(format!("{who} waits{waits} until someone approves."))
        .recover(Recoverability::WaitsForPerson);
    let Some(gate) = gate else { return finding.command(approve) };
    let key = &gate.run.meta.key;
    let effect = format!("stops {}; it can be resumed", key.name);
    finding
        .also(gate.progress.best_span(), format!("the run waits {}", gate.show()))
        .decide(
            format!("Decide what becomes of {}.", gate.run.meta.name()),
            vec![set_state_for(key, "Stop", effect), approve],
        )
        .explains(gate.topic())
}
