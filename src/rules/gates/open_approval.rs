//! FL0502 open-approval.

use crate::declare_rule;
use crate::facts::gate::{Answer, answer};
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::commands::{approve_named, patch_approval, show_named};

declare_rule! {
    /// An approval that nobody has given yet.
    ///
    /// ## Why it matters
    /// The run has done all it may do and waits for a person. Nothing is broken; the gate is there on purpose.
    ///
    /// ## What to do
    /// Check what the stage before did, then approve the named request with `observedGeneration` equal to its
    /// `generation`. Only `Approved` True opens the gate: `Unknown`, or a word in another request, does not.
    pub static OPEN_APPROVAL = Rule {
        code: "FL0502",
        name: "open-approval",
        severity: Severity::Note,
        reads: &[Kind::Run, Kind::ApprovalRequest],
        check: open_approval,
    }
}

fn open_approval(cx: &mut Cx<'_>) {
    for gate in cx.open_gates().iter().filter(|gate| gate.waits_for_approval()) {
        let name = gate.request_name();
        let request = cx.find_request_at(gate);
        if request.is_some_and(|request| answer(request) != Answer::Open) {
            continue;
        }
        let key = &gate.run.meta.key;
        let message = format!(
            "{} {} waits {} for the approval of {name}, which nobody has given yet",
            key.kind,
            key.name,
            gate.show(),
        );
        let mut finding = OPEN_APPROVAL
            .at(gate.progress.best_span(), format!("waits {}", gate.show()))
            .message(message)
            .why("the gate was put there by the strategy; the run goes on within a minute of the approval")
            .recover(Recoverability::WaitsForPerson)
            .about(gate.topic());
        if let Some(task) = gate.open_approval().and_then(|task| task.request.as_ref()) {
            finding = finding.also(task.span, "the request that opens the gate");
        }
        if let Some(request) = request {
            let word = request
                .approved()
                .map(|condition| (condition.status.span, "not True, so the gate stays shut"));
            let (span, text) =
                word.unwrap_or((request.meta.name_span, "no Approved condition yet"));
            finding = finding
                .also(span, text)
                .command(patch_approval(request, request.meta.generation().unwrap_or(1)));
        } else {
            finding = finding.command(approve_named(key, &name));
            cx.ask(
                show_named(key, &name),
                format!("whether {name} was approved, and for which generation"),
            );
        }
        cx.report(finding);
    }
}
