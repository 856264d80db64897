//! FL0502 open-approval.

use crate::declare_rule;
use crate::facts::gate::{ApprovalState, Gate, answer};
use crate::finding::{Finding, Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::model::approval::ApprovalRequest;
use crate::rule::Cx;
use crate::rules::commands::{approve_named, patch_approval, show_named};
use crate::rules::gates::after_gate::after_gate;

declare_rule! {
    /// An approval that no one has given yet.
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
        if request.is_some_and(|request| answer(request) != ApprovalState::Open) {
            continue;
        }
        if request.is_none() {
            let decides = format!("whether {name} was approved, and for which generation");
            cx.ask(show_named(&gate.run.meta.key, &name, ""), decides);
        }
        cx.report(describe(gate, request, &name));
    }
}

fn describe(gate: &Gate<'_>, request: Option<&ApprovalRequest>, name: &str) -> Finding {
    let key = &gate.run.meta.key;
    let task = gate.open_approval().and_then(|task| task.request.as_ref());
    let effect = format!("opens the gate {}", gate.show());
    let finding = OPEN_APPROVAL
        .at(gate.progress.best_span(), format!("waits {}", gate.show()))
        .also_at(task.map(|task| task.span), "the request that opens the gate")
        .message(format!(
            "{} waits {} for the approval of {name}.",
            gate.run.meta.title(),
            gate.show()
        ))
        .why("The strategy asks for an approval here. No one has given it yet.")
        .then(format!("Someone has to approve {name}. {}", after_gate(gate)))
        .recover(Recoverability::WaitsForPerson)
        .about(gate.topic());
    let Some(request) = request else {
        return finding.command(approve_named(key, name, effect));
    };
    let word = request.approved().map(|c| (c.status.span, "not True, so the gate stays shut"));
    let (span, text) = word.unwrap_or((request.meta.name_span, "no Approved condition yet"));
    let generation = request.meta.generation().unwrap_or(1);
    finding.also(span, text).command(patch_approval(request, generation, effect))
}
