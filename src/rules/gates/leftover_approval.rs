//! FL0510 leftover-approval.

use crate::declare_rule;
use crate::facts::gate::{Answer, answer};
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::commands::delete_command;

declare_rule! {
    /// An approval that is older than its run: it was left by an earlier run of the same name.
    ///
    /// ## Why it matters
    /// A run looks its requests up by name. One that an earlier run of that name left behind, approved, lets the
    /// new run through at once, without anybody approving anything.
    ///
    /// ## What to do
    /// Check whether that was meant. Delete old requests with their runs, and give every run a name of its own.
    pub static LEFTOVER_APPROVAL = Rule {
        code: "FL0510",
        name: "leftover-approval",
        severity: Severity::Warning,
        reads: &[Kind::ApprovalRequest, Kind::Run],
        check: leftover_approval,
    }
}

fn leftover_approval(cx: &mut Cx<'_>) {
    for request in cx.approval_requests() {
        if !matches!(answer(request), Answer::Given | Answer::Accepted) {
            continue;
        }
        let Some(run) = cx.find_run_of(request) else { continue };
        let (Some(made), Some(born)) = (request.meta.created, run.meta.created) else { continue };
        if made.value >= born.value {
            continue;
        }
        cx.report(
            LEFTOVER_APPROVAL
                .at(made.span, "the request is older")
                .also(born.span, "than its run")
                .message(format!(
                    "the approval of {} is a leftover of an earlier run: the request is older than run {}, which passes the gate without being approved",
                    request.meta.name(),
                    run.meta.name(),
                ))
                .why("requests are found by name, so an approved one that was left behind counts for the next run of that name")
                .recover(Recoverability::WaitsForPerson)
                .command(delete_command(&request.meta.key)),
        );
    }
}
