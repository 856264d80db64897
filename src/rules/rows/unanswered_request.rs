//! FL0515 unanswered-request.

use crate::declare_rule;
use crate::facts::gate::{ApprovalState, answer};
use crate::finding::{Certainty, Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::model::approval::ApprovalRequest;
use crate::rule::Cx;
use crate::rules::commands::patch_approval;
use crate::syntax::Syntax;

declare_rule! {
    /// An approval request that nobody has answered, while the run that waits for it was not sent.
    ///
    /// ## Why it matters
    /// The controller makes a request when its run reaches the gate. So an open request is the gate at which the run
    /// stands, and an approval of another request does not open it.
    ///
    /// ## What to do
    /// Check what the stage did, then approve this request with `observedGeneration` equal to its `generation`.
    pub static UNANSWERED_REQUEST = Rule {
        code: "FL0515",
        name: "unanswered-request",
        severity: Severity::Note,
        reads: &[Kind::ApprovalRequest, Kind::Run],
        check: unanswered_request,
    }
}

fn unanswered_request(cx: &mut Cx<'_>) {
    for request in cx.approval_requests() {
        if !is_open(cx, request) {
            continue;
        }
        let (Some(run), Some(stage)) = (request.run_name(), request.stage_name()) else { continue };
        let name = request.meta.name();
        // A run waits for the request under its own name only, whatever another one says.
        if !name.strip_prefix(run).is_some_and(|rest| rest.starts_with('-')) {
            continue;
        }
        let side = request.side().map(|side| format!(" {}", side.word())).unwrap_or_default();
        let mut finding = UNANSWERED_REQUEST
            .at(request.meta.name_span, "no answer yet")
            .message(format!(
                "Nobody has answered {name}. So {run} waits{side} stage {stage}, unless \
                     it has ended."
            ))
            .why(
                "An approval counts for its own gate only. A request is created when its \
                 run gets there.",
            )
            .certainty(Certainty::Likely)
            .recover(Recoverability::WaitsForPerson)
            .command(patch_approval(
                request,
                request.meta.generation().unwrap_or(1),
                "opens the gate",
            ));
        let others = cx.approval_requests().iter().filter(|other| {
            other.run_name() == Some(run) && other.approved().is_some_and(|it| it.is_true())
        });
        for approved in others.filter_map(|other| other.approved()).take(3) {
            finding = finding.also(approved.status.span, "opens its own gate only");
        }
        cx.report(finding);
    }
}

/// Says whether a request waits for an answer, and no sighting of its run says more than a row does.
fn is_open(cx: &Cx<'_>, request: &ApprovalRequest) -> bool {
    let run = cx.find_run_of(request);
    let shown = run.is_some_and(|run| run.is_terminal() || run.meta.syntax != Syntax::Table);
    answer(request) == ApprovalState::Open && !shown && request.meta.deleting.is_none()
}
