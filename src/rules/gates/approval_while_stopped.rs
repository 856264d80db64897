//! FL0504 approval-while-stopped.

use crate::declare_rule;
use crate::facts::gate::{ApprovalState, answer};
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::commands::set_state_for;

declare_rule! {
    /// An approval that waits because its run is stopped.
    ///
    /// ## Why it matters
    /// Gates are processed only while `spec.state` is `Run`. An approval given to a stopped run stays without
    /// `ApprovalAccepted`, and nothing says why.
    ///
    /// ## What to do
    /// Set `spec.state` to `Run` when the rollout may continue; the approval counts then.
    pub static APPROVAL_WHILE_STOPPED = Rule {
        code: "FL0504",
        name: "approval-while-stopped",
        severity: Severity::Warning,
        reads: &[Kind::Run, Kind::ApprovalRequest],
        check: approval_while_stopped,
    }
}

fn approval_while_stopped(cx: &mut Cx<'_>) {
    for run in cx.runs().iter().filter(|run| !run.is_terminal() && run.state() == "Stop") {
        for request in cx.requests_of(run) {
            let given = request.approved().filter(|_| answer(request) == ApprovalState::Given);
            let Some(approved) = given else { continue };
            let name = run.meta.name();
            let effect = format!("resumes {name}, and the approval counts");
            cx.report(
                APPROVAL_WHILE_STOPPED
                    .at(approved.status.span, "approved, and not accepted")
                    .also_at(
                        run.state.as_ref().map(|state| state.span),
                        format!("{name} is stopped"),
                    )
                    .message(format!(
                        "{} is approved, but {name} is in state Stop and does not check its gates.",
                        request.meta.name(),
                    ))
                    .why("The controller processes approvals only while spec.state is Run.")
                    .then(format!(
                        "{} takes the approval within seconds once it is resumed.",
                        run.meta.title()
                    ))
                    .recover(Recoverability::NeedsPatch)
                    .command(set_state_for(&run.meta.key, "Run", effect)),
            );
        }
    }
}
