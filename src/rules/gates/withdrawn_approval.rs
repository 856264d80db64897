//! FL0512 withdrawn-approval.

use crate::declare_rule;
use crate::finding::{Finding, Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::model::approval::ApprovalRequest;
use crate::model::condition::find_condition;
use crate::model::run::Run;
use crate::rule::Cx;
use crate::rules::commands::set_state_for;
use crate::source::Span;

declare_rule! {
    /// An approval that was taken back after the controller had accepted it.
    ///
    /// ## Why it matters
    /// An accepted approval stays accepted. Whoever set `Approved` back to False believes that the run is held,
    /// and it is not.
    ///
    /// ## What to do
    /// Set `spec.state` of the run to `Stop` to hold it.
    pub static WITHDRAWN_APPROVAL = Rule {
        code: "FL0512",
        name: "withdrawn-approval",
        severity: Severity::Note,
        reads: &[Kind::ApprovalRequest, Kind::Run],
        check: withdrawn_approval,
    }
}

fn withdrawn_approval(cx: &mut Cx<'_>) {
    for request in cx.approval_requests() {
        let Some(approved) = request.approved().filter(|condition| !condition.is_true()) else {
            continue;
        };
        let run = cx.find_run_of(request);
        let Some(taken) = taken(request, run) else { continue };
        cx.report(describe(request, run, approved.status.span, taken));
    }
}

fn describe(request: &ApprovalRequest, run: Option<&Run>, place: Span, taken: Span) -> Finding {
    let finding = WITHDRAWN_APPROVAL
        .at(place, "withdrawn")
        .also(taken, "accepted by the controller before")
        .message(format!(
            "The approval of {} was withdrawn after the controller had accepted it. \
                 It still counts.",
            request.meta.name()
        ))
        .why("An accepted approval cannot be taken back. Only spec.state Stop holds a run.")
        .recover(Recoverability::NothingToDo);
    let Some(run) = run.filter(|run| run.is_active()) else {
        return finding.then("No action needed.");
    };
    let name = run.meta.name();
    let effect = format!("holds {name}; started clusters finish first");
    finding
        .then(format!("{} continues by itself. Stop it if it has to be held.", run.meta.title()))
        .command(set_state_for(&run.meta.key, "Stop", effect))
}

/// Returns where it shows that the controller took the approval: in the request, or in the run's task
/// (a merge patch by the user removes the controller's condition from the request).
fn taken(request: &ApprovalRequest, run: Option<&Run>) -> Option<Span> {
    let accepted = request.accepted().filter(|condition| condition.is_true());
    let recorded = || {
        let tasks = run?.all_stages().flat_map(|stage| stage.before.iter().chain(&stage.after));
        let mut own = tasks.filter(|task| task.request.as_deref() == Some(request.meta.name()));
        let task = own.find(|task| task.is("ApprovalRequestApproved"))?;
        Some(find_condition(&task.conditions, "ApprovalRequestApproved")?.status.span)
    };
    accepted.map(|condition| condition.status.span).or_else(recorded)
}
