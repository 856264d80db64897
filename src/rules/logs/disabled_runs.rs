//! FL0911 disabled-runs.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::grammar::message::line;
use crate::model::log::LogEvent;
use crate::rule::Cx;
use crate::rules::commands::hub_agent_options;
use crate::rules::logs::agent_starts::starts;

declare_rule! {
    /// A hub-agent that does not work on staged update runs.
    ///
    /// ## Why it matters
    /// The controllers of runs are set up only with `--enable-staged-update-run-apis`. Without them a run is stored and
    /// nobody ever looks at it: it gets neither finalizer nor status.
    ///
    /// ## What to do
    /// Set the flag on hub-agent; it then takes up the runs that are there.
    ///
    /// ## Also covered
    /// A log that shows the set-up of the other controllers at the last start, but not of this one.
    pub static DISABLED_RUNS = Rule {
        code: "FL0911",
        name: "disabled-runs",
        severity: Severity::Error,
        reads: &[Kind::Run],
        check: disabled_runs,
    }
}

const FLAG: &str = "name=\"enable-staged-update-run-apis\" value=\"false\"";

fn disabled_runs(cx: &mut Cx<'_>) {
    let Some(proof) = proof(cx) else { return };
    for run in cx.runs().iter().filter(|run| run.conditions.is_empty() && !run.meta.partial) {
        let key = &run.meta.key;
        cx.report(
            DISABLED_RUNS
                .at(run.meta.name_span, "nobody works on this run")
                .also_log(proof.span, "how hub-agent was started", None)
                .message(format!(
                    "No controller works on {} {}. The hub agent runs without the one for \
                         update runs.",
                    key.kind,
                    key.path()
                ))
                .why(
                    "The hub agent starts the controllers of runs only with \
                     --enable-staged-update-run-apis.",
                )
                .then(format!(
                    "The hub agent picks {} up by itself once it runs with that option.",
                    run.meta.name()
                ))
                .recover(Recoverability::ResumesAfterRepair)
                .command(hub_agent_options())
                .explains(Topic::Run(key.clone())),
        );
    }
}

/// Returns the line by which the last start of hub-agent shows that runs are disabled.
fn proof<'g>(cx: &Cx<'g>) -> Option<&'g LogEvent> {
    let events = cx.log_events();
    let start =
        starts(cx).into_iter().rfind(|start| start.event.is(line::HUBAGENT_STARTING_HUB))?;
    let own = |event: &&LogEvent| event.log == start.event.log;
    let flags = events.get(..start.index)?.iter().rev().take_while(own);
    let flags = flags.take_while(|event| event.is(line::HUBAGENT_FLAG));
    let flag = flags.into_iter().find(|event| cx.text_of(event.span).contains(FLAG));
    let after = || events.iter().skip(start.index).filter(own);
    let set_up = after().any(|event| event.is(line::SETUP_CSUR));
    // It is set up after the run controllers, so that its line shows that theirs is not merely cut off.
    let later = after().find(|event| &*event.message == "Setting up work generator");
    if set_up { None } else { flag.or(later) }
}
