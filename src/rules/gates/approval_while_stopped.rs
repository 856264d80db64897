//! FL0504 approval-while-stopped.

use crate::declare_rule;
use crate::facts::gate::{Answer, answer};
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::commands::set_state;

declare_rule! {
    /// An approval that waits because its run is stopped.
    ///
    /// ## Why it matters
    /// Gates are processed only while `spec.state` is `Run`. An approval given to a stopped run stays without
    /// `ApprovalAccepted`, and nothing says why.
    ///
    /// ## What to do
    /// Set `spec.state` to `Run` when the rollout may go on; the approval counts then.
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
            let Some(approved) = request.approved().filter(|_| answer(request) == Answer::Given)
            else {
                continue;
            };
            let mut finding = APPROVAL_WHILE_STOPPED
                .at(approved.status.span, "approved, and not accepted")
                .message(format!(
                    "{} is approved, but {} is in state Stop, and a stopped run does not look at its gates",
                    request.meta.name(),
                    run.meta.name(),
                ))
                .why("the approval is kept; it counts as soon as the run is set to Run again")
                .recover(Recoverability::NeedsPatch)
                .command(set_state(&run.meta.key, "Run"));
            if let Some(state) = &run.state {
                finding = finding.also(state.span, "the run is stopped here");
            }
            cx.report(finding);
        }
    }
}
