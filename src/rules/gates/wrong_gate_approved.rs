//! FL0503 wrong-gate-approved.

use crate::declare_rule;
use crate::facts::gate::{Answer, Gate, answer};
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::model::approval::ApprovalRequest;
use crate::rule::Cx;
use crate::rules::commands::approve_named;

declare_rule! {
    /// An approval that was given for another gate than the one the run waits at.
    ///
    /// ## Why it matters
    /// Each gate has a request of its own, `<run>-before-<stage>` or `<run>-after-<stage>`. An approval of another
    /// one counts when that gate is reached; it does not open the one that is shut.
    ///
    /// ## What to do
    /// Approve the request that the run's message names. Look at the other approval too: it will let the run pass
    /// its gate without another question.
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
        let name = gate.request_name();
        if cx.find_request_at(gate).is_some_and(|request| answer(request) != Answer::Open) {
            continue;
        }
        for other in cx.requests_of(gate.run) {
            let Some(approved) = other.approved().filter(|_| is_early(gate, other)) else {
                continue;
            };
            let key = &gate.run.meta.key;
            cx.report(
                WRONG_GATE_APPROVED
                    .at(approved.status.span, "approved, but this gate is not reached yet")
                    .also(gate.progress.best_span(), format!("the run waits {}", gate.show()))
                    .message(format!(
                        "{} is approved, but {} waits {}: only {name} opens that gate",
                        other.meta.name(),
                        key.name,
                        gate.show(),
                    ))
                    .why("an approval counts for its own gate only; this one will be used when the run gets there")
                    .recover(Recoverability::WaitsForPerson)
                    .command(approve_named(key, &name))
                    .explains(gate.topic()),
            );
        }
    }
}

/// Says whether a request is approved for a gate that the run has not passed.
fn is_early(gate: &Gate<'_>, request: &ApprovalRequest) -> bool {
    let passed = |name: &str| {
        let mut stages =
            gate.run.stages.iter().map(|stage| stage.name()).skip_while(|stage| *stage != name);
        // The stage comes before the one at work, so its gates are behind the run.
        name != gate.stage && stages.any(|stage| stage == gate.stage)
    };
    let earlier_side = request.stage_name() == Some(gate.stage) && request.side() < Some(gate.side);
    request.meta.name() != gate.request_name()
        && answer(request) == Answer::Given
        && !earlier_side
        && !request.stage_name().is_some_and(passed)
}
