//! FL0918 unapplied-in-log.

use jiff::SignedDuration;

use crate::declare_rule;
use crate::facts::after_repair::on_member;
use crate::finding::{Certainty, Recoverability, Severity, Topic};
use crate::rule::Cx;
use crate::rules::commands::show_command;
use crate::rules::logs::binding_status::{LoggedBindingStatus, last_statuses};
use crate::rules::logs::binding_takeovers::goes_on_for;

declare_rule! {
    /// An object that could not be put on a cluster, by what the log of hub-agent repeats of its binding.
    ///
    /// ## Why it matters
    /// hub-agent logs the status of a binding whenever it changes, with the objects that the member refused and the words of
    /// the refusal. Without the binding, the Work and the log of the member this is all there is.
    ///
    /// ## What to do
    /// Follow the words: they name the object and who refused it.
    pub static UNAPPLIED_IN_LOG = Rule {
        code: "FL0918",
        name: "unapplied-in-log",
        severity: Severity::Error,
        reads: &[],
        check: unapplied_in_log,
    }
}

/// A refusal that passes by itself is over within a few tries.
const LASTING: SignedDuration = SignedDuration::from_secs(15);

fn unapplied_in_log(cx: &mut Cx<'_>) {
    for LoggedBindingStatus { event, binding, span, failed } in last_statuses(cx) {
        let Some(key) = binding.object().filter(|key| !cx.has_object(key)) else { continue };
        let mut refused = failed.iter().filter(|object| object.is_unapplied());
        let Some(first) = refused.next().filter(|_| goes_on_for(cx, event, LASTING)) else {
            continue;
        };
        let more = match refused.count() {
            0 => String::new(),
            more => format!(" ({more} more objects likewise)"),
        };
        cx.report(
            UNAPPLIED_IN_LOG
                .at(span, "the last status of the binding in this log")
                .for_object(key.clone())
                .also_log(binding.span, "the binding", Some(key.clone()))
                .message(format!(
                    "Binding {} is not applied on its cluster{}: {}{more}.",
                    binding.name,
                    cx.at_time(event),
                    first.shown()
                ))
                .why(
                    "The member agent tries again by itself. The words name what has to be \
                     repaired.",
                )
                .then(on_member(&format!("Binding {}", binding.name), ""))
                .certainty(Certainty::Likely)
                .recover(Recoverability::ResumesAfterRepair)
                .command(show_command(&key))
                .explains(Topic::Object(key)),
        );
    }
}
