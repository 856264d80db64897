//! FL0908 lost-lease.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity, Topic};
use crate::grammar::message::line;
use crate::model::log::{Agent, LogEvent};
use crate::rule::Cx;
use crate::rules::commands::look_at_hub;

declare_rule! {
    /// An agent that lost its leadership.
    ///
    /// ## Why it matters
    /// An agent that cannot renew its lease ends at once, in the middle of whatever it does. Until it, or another replica,
    /// holds the lease again, nothing reacts. The usual cause is an API server that does not answer in time.
    ///
    /// ## What to do
    /// Look at the API server at that moment, and at the CPU that the agent is allowed.
    pub static LOST_LEASE = Rule {
        code: "FL0908",
        name: "lost-lease",
        severity: Severity::Error,
        reads: &[],
        check: lost_lease,
    }
}

fn lost_lease(cx: &mut Cx<'_>) {
    for (number, log) in cx.logs().iter().enumerate() {
        let own = || cx.log_events().iter().filter(|event| event.log == number);
        let Some(lost) = own().rfind(|event| is_loss(event)) else { continue };
        let back = own().rfind(|event| event.is(line::LEASE_ACQUIRED) && event.line > lost.line);
        let name = log.agent.name().unwrap_or("hub-agent");
        let finding = LOST_LEASE
            .at(lost.span, "the lease is lost here")
            .why(
                "An agent that cannot renew its lease ends at once. Mostly the API server \
                 did not answer in time.",
            )
            .command(look_at_hub().words("get leases -n fleet-system -o yaml").build());
        let finding = match back {
            Some(back) => finding
                .severity(Severity::Note)
                .also_log(back.span, "held again", None)
                .message(format!(
                    "{name} lost its lease{} and got it back{}.",
                    cx.at_time(lost),
                    cx.at_time(back)
                ))
                .recover(Recoverability::NothingToDo),
            None => {
                let finding = finding
                    .message(format!(
                        "{name} lost its lease{} and does not hold it again by the end of its log.",
                        cx.at_time(lost)
                    ))
                    .then(format!(
                        "{name} takes the lease again by itself at its next start, once the API \
                         server answers."
                    ))
                    .recover(Recoverability::ResumesAfterRepair);
                if log.agent == Agent::Hub { finding.explains(Topic::HubAgent) } else { finding }
            }
        };
        cx.report(finding);
    }
}

/// Says whether a line is written by a process that loses its lease.
///
/// One that is told to end gives it up as well, and its libraries complain about that.
fn is_loss(event: &LogEvent) -> bool {
    const LOST: [&str; 2] = ["leader election lost", "leaderelection lost"];
    let error = event.error.as_ref().map(|(error, _)| &**error).unwrap_or_default();
    let told_to_end = || {
        event.is(line::ERROR_RECEIVED_AFTER_STOP)
            || error.contains("context canceled")
            || event.message.ends_with("context canceled")
    };
    let lost = LOST.iter().any(|words| event.message.contains(words) || error.contains(words));
    (lost || event.is(line::LEASE_NOT_RENEWED)) && !told_to_end()
}
