//! FL0915 illegal-step-in-log.

use crate::declare_rule;
use crate::finding::{Certainty, Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::model::key::ObjectKey;
use crate::rule::Cx;
use crate::rules::commands::show_command;
use crate::rules::logs::replay::replay_logs;

declare_rule! {
    /// A run that, by the log of hub-agent, took a step that the controller does not take.
    ///
    /// ## Why it matters
    /// A stage starts after its gate was accepted and after the clusters of the stage before it are done; a cluster that was
    /// pre-empted does not succeed, and a run that has ended does nothing more. LogLines that say otherwise come from a status
    /// that was edited meanwhile, from two controllers at work at once, or from logs that were put together.
    ///
    /// ## What to do
    /// Find out whether one hub-agent wrote this log and whether somebody wrote the status of the run.
    pub static ILLEGAL_STEP_IN_LOG = Rule {
        code: "FL0915",
        name: "illegal-step-in-log",
        severity: Severity::Warning,
        reads: &[],
        check: illegal_step_in_log,
    }
}

fn illegal_step_in_log(cx: &mut Cx<'_>) {
    for step in replay_logs(cx) {
        let run = step.run;
        let key = ObjectKey::of(Kind::Run, &run.namespace, &run.name);
        let when = step.event.shown_time().map(|time| format!(", {time}")).unwrap_or_default();
        cx.report(
            ILLEGAL_STEP_IN_LOG
                .at(run.span, "this step")
                .for_object(key.clone())
                .also_log(step.against.span, "does not follow this", Some(key.clone()))
                .message(format!(
                    "{} {} took an impossible step: {} (log of the hub agent{when}).",
                    key.kind,
                    key.path(),
                    step.what
                ))
                .why(
                    "The controller does not take this step. Someone edited the status \
                     meanwhile, two controllers were at work, or the log is put together from \
                     several.",
                )
                .certainty(Certainty::Likely)
                .recover(Recoverability::WaitsForPerson)
                .command(show_command(&key)),
        );
    }
}
