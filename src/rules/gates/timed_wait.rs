//! FL0513 timed-wait.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::kube::time::show_duration;
use crate::rule::Cx;
use jiff::SignedDuration;

declare_rule! {
    /// A wait after a stage that is simply not over.
    ///
    /// ## Why it matters
    /// The strategy asks for it. The time counts from the moment the stage began to wait (the stage's Progressing
    /// condition); the run's own condition is stamped anew at every check and tells nothing. A stop in between
    /// starts the wait again.
    ///
    /// ## What to do
    /// Wait.
    pub static TIMED_WAIT = Rule {
        code: "FL0513",
        name: "timed-wait",
        severity: Severity::Note,
        reads: &[Kind::Run],
        check: timed_wait,
    }
}

fn timed_wait(cx: &mut Cx<'_>) {
    for timer in cx.timers() {
        let Some(now) = cx.clock().now else { continue };
        let left = timer.end.duration_since(now);
        if left < SignedDuration::ZERO {
            continue;
        }
        let title = timer.gate.run.meta.title();
        let until = cx.clock().show_moment(timer.end);
        let then = match timer.gate.open_approval() {
            Some(_) => format!("{title} continues after {until}, once the approval is given too."),
            None => format!("{title} continues by itself at {until}."),
        };
        cx.report(
            TIMED_WAIT
                .at(timer.since.span, "the wait counts from here")
                .also(timer.wait.span, "for this long")
                .message(format!(
                    "{title} waits {} until {until}, {} more.",
                    timer.gate.show(),
                    show_duration(left),
                ))
                .why("The strategy asks for this wait.")
                .then(then)
                .recover(Recoverability::ResumesByItself)
                .about(timer.gate.topic()),
        );
    }
}
