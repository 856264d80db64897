//! FL0510 leftover-approval.

use crate::declare_rule;
use crate::facts::gate::{ApprovalState, answer};
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::commands::set_state_for;

declare_rule! {
    /// An approval that is older than its run: it was left by an earlier run of the same name.
    ///
    /// ## Why it matters
    /// A run looks its requests up by name. One that an earlier run of that name left behind, approved, lets the
    /// new run through at once, without anyone approving anything.
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
        if !matches!(answer(request), ApprovalState::Given | ApprovalState::Accepted) {
            continue;
        }
        let Some(run) = cx.find_run_of(request) else { continue };
        let (Some(made), Some(born)) = (request.meta.created, run.meta.created) else { continue };
        // An approval that was given after the run had begun was given for this run.
        let given = request.approved().and_then(|approved| approved.since);
        if made.value >= born.value || given.is_some_and(|given| given.value >= born.value) {
            continue;
        }
        let (name, of) = (request.meta.name(), run.meta.name());
        let passes = if run.is_terminal() { "passed" } else { "passes" };
        let finding = LEFTOVER_APPROVAL
            .at(made.span, "the request is older")
            .also(born.span, "than its run")
            .message(format!(
                "{name} was approved for an earlier run of the same name. It is older than {of}, \
                 which {passes} the gate without a new approval."
            ))
            .why("Requests are found by name, so a leftover approval counts for the next run.")
            .hint("Give every run a name of its own.");
        let then = match run.is_terminal() {
            true => format!("{} has ended. No action needed.", run.meta.title()),
            false => format!(
                "{} does not wait at this gate. Stop it if that is not meant.",
                run.meta.title()
            ),
        };
        let stop =
            || set_state_for(&run.meta.key, "Stop", format!("stops {of}; it can be resumed"));
        let stop = if run.is_active() { stop() } else { None };
        cx.report(finding.then(then).recover(Recoverability::WaitsForPerson).command(stop));
    }
}
