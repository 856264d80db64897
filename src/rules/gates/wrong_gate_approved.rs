//! FL0503 wrong-gate-approved.

use std::cmp::Ordering;

use crate::declare_rule;
use crate::facts::gate::{ApprovalState, Gate, answer};
use crate::finding::{Finding, Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::model::approval::ApprovalRequest;
use crate::rule::Cx;
use crate::rules::commands::approve_named;
use crate::rules::gates::after_gate::after_gate;
use crate::source::Span;

declare_rule! {
    /// An approval that was given for another gate than the one the run waits at.
    ///
    /// ## Why it matters
    /// Each gate has a request of its own, `<run>-before-<stage>` or `<run>-after-<stage>`. An approval of another
    /// one counts when that gate is reached; it does not open the one that is shut.
    ///
    /// ## What to do
    /// Approve the request that the run's message names. Check the other approval too: it will let the run pass
    /// its gate without another question.
    ///
    /// ## Also covered
    /// An approval of a gate that lies behind the run and was never accepted, because it names another generation.
    pub static WRONG_GATE_APPROVED = Rule {
        code: "FL0503",
        name: "wrong-gate-approved",
        severity: Severity::Warning,
        reads: &[Kind::Run, Kind::ApprovalRequest],
        check: wrong_gate_approved,
    }
}

fn wrong_gate_approved(cx: &mut Cx<'_>) {
    for gate in cx.open_gates().iter().filter(|gate| gate.waits_for_approval()) {
        if cx.find_request_at(gate).is_some_and(|request| answer(request) != ApprovalState::Open) {
            continue;
        }
        for other in cx.requests_of(gate.run) {
            let Some(approved) = other.approved().filter(|_| is_elsewhere(gate, other)) else {
                continue;
            };
            cx.report(describe(gate, other, approved.status.span));
        }
    }
}

fn describe(gate: &Gate<'_>, other: &ApprovalRequest, place: Span) -> Finding {
    let (key, wanted, given) = (&gate.run.meta.key, gate.request_name(), other.meta.name());
    let (label, why) = match gate.order_of(other) {
        Some(Ordering::Greater) if answer(other) == ApprovalState::Given => (
            "approved, but this gate is not reached yet",
            "An approval counts for its own gate only. This one counts when the run gets there.",
        ),
        Some(Ordering::Less) => (
            "approved, but this gate lies behind the run",
            "An approval counts for its own gate only.",
        ),
        _ => ("approved, for another gate", "An approval counts for its own gate only."),
    };
    let effect = format!("opens the gate {}", gate.show());
    WRONG_GATE_APPROVED
        .at(place, label)
        .also(gate.progress.best_span(), format!("the run waits {}", gate.show()))
        .message(format!(
            "{} waits {}, and only {wanted} opens that gate. Someone approved {given} instead.",
            gate.run.meta.title(),
            gate.show(),
        ))
        .why(why)
        .then(format!("Someone has to approve {wanted}. {}", after_gate(gate)))
        .recover(Recoverability::WaitsForPerson)
        .command(approve_named(key, &wanted, effect))
        .explains(gate.topic())
}

/// Says whether a request is approved, for another gate than the one that is shut, and not used up.
fn is_elsewhere(gate: &Gate<'_>, request: &ApprovalRequest) -> bool {
    let unused = match answer(request) {
        ApprovalState::Given => gate.order_of(request).is_none_or(Ordering::is_gt),
        ApprovalState::Stale => true,
        ApprovalState::Open | ApprovalState::Denied | ApprovalState::Accepted => false,
    };
    unused && request.meta.name() != gate.request_name()
}
