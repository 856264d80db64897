//! FL0413 undeletable-run.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::commands::hub_agent_command;
use jiff::SignedDuration;

/// Deleting the requests takes seconds.
const PATIENCE: SignedDuration = SignedDuration::from_mins(2);

declare_rule! {
    /// A run that was deleted and does not go away.
    ///
    /// ## Why it matters
    /// A run keeps a finalizer until the controller has deleted its approval requests. If it stays, the controller is
    /// not working or cannot delete them.
    ///
    /// ## What to do
    /// Check the hub agent and its log. Taking the finalizer off by hand leaves the approval requests behind, and a new
    /// run of that name would take their approvals.
    pub static UNDELETABLE_RUN = Rule {
        code: "FL0413",
        name: "undeletable-run",
        severity: Severity::Warning,
        reads: &[Kind::Run],
        check: undeletable_run,
    }
}

fn undeletable_run(cx: &mut Cx<'_>) {
    for run in cx.runs() {
        let Some(deleting) = run.meta.deleting else { continue };
        let Some(finalizer) = run.meta.finalizers.first() else { continue };
        let Some(age) = cx.surely_over(deleting.value, PATIENCE) else { continue };
        let (title, age) = (run.meta.title(), age.show());
        cx.report(
            UNDELETABLE_RUN
                .at(deleting.span, format!("deleted {age} before the capture"))
                .also(finalizer.span, "this finalizer holds it")
                .message(format!("{title} has been stuck in deletion for {age}."))
                .why(
                    "The controller removes the finalizer after the run's approval requests. \
                     It has not.",
                )
                .then(format!("{title} goes away by itself once the controller works."))
                .hint(
                    "Do not remove the finalizer by hand: the approval requests would stay \
                     behind.",
                )
                .recover(Recoverability::ResumesAfterRepair)
                .command(hub_agent_command()),
        );
    }
}
