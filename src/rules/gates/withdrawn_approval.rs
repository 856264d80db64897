//! FL0512 withdrawn-approval.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::model::condition::Condition;
use crate::rule::{Cx, Scope};
use crate::rules::wording::set_state;

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
        scope: Scope::Bundle,
        reads: &[Kind::ApprovalRequest, Kind::Run],
        check: withdrawn_approval,
    }
}

fn withdrawn_approval(cx: &mut Cx<'_>) {
    for request in cx.approval_requests() {
        let accepted = request.accepted().filter(|condition| condition.is_true());
        let approved = request.approved().filter(|condition: &&Condition| !condition.is_true());
        let (Some(accepted), Some(approved)) = (accepted, approved) else { continue };
        let mut finding = WITHDRAWN_APPROVAL
            .at(approved.status.span, "taken back")
            .also(accepted.status.span, "but accepted before, which stays")
            .message(format!(
                "the approval of {} was taken back too late: it had been accepted",
                request.meta.name()
            ))
            .help("an accepted approval cannot be taken back; only spec.state Stop holds a run")
            .recover(Recoverability::NothingToDo);
        if let Some(run) = cx.find_run_of(request).filter(|run| !run.is_terminal()) {
            finding = finding.command(set_state(&run.meta.key, "Stop"));
        }
        cx.report(finding);
    }
}
