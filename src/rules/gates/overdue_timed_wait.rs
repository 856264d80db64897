//! FL0514 overdue-timed-wait.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::commands::hub_agent_command;
use crate::rules::stuck::agent_liveness::lower_if_agent_alive;
use jiff::SignedDuration;

/// How late a check may be on a busy hub.
const PATIENCE: SignedDuration = SignedDuration::from_mins(2);

declare_rule! {
    /// A wait after a stage that is over, while the run still waits for it.
    ///
    /// ## Why it matters
    /// The controller plans its next check for the end of the wait. If minutes later `WaitTimeElapsed` is not
    /// recorded, there was no check.
    ///
    /// ## What to do
    /// Check the hub agent: is it running, does it hold the lease, what does its log say about this run?
    pub static OVERDUE_TIMED_WAIT = Rule {
        code: "FL0514",
        name: "overdue-timed-wait",
        severity: Severity::Warning,
        reads: &[Kind::Run, Kind::MemberCluster],
        check: overdue_timed_wait,
    }
}

fn overdue_timed_wait(cx: &mut Cx<'_>) {
    for timer in cx.timers() {
        let Some(late) = cx.surely_over(timer.end, PATIENCE) else { continue };
        let run = timer.gate.run;
        let finding = OVERDUE_TIMED_WAIT
            .at(timer.since.span, "the wait began here")
            .also(timer.wait.span, "and was to last this long")
            .message(format!(
                "The wait of {} {} ended at {}, {} before the capture, and is not recorded.",
                run.meta.name(),
                timer.gate.show(),
                cx.clock().show_moment(timer.end),
                late.show(),
            ))
            .why("The controller plans its next check for the end of the wait. It has not come.")
            .then(format!("{} continues by itself once the hub agent works.", run.meta.title()))
            .recover(Recoverability::ResumesAfterRepair)
            .command(hub_agent_command())
            .explains(timer.gate.topic());
        let finding = lower_if_agent_alive(cx, finding);
        cx.report(finding);
    }
}
