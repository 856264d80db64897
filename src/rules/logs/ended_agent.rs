//! FL0916 ended-agent.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::message::line;
use crate::model::log::{Agent, Log};
use crate::rule::Cx;
use crate::rules::commands::look_at_hub;
use crate::rules::logs::agent_starts::starts;

declare_rule! {
    /// An agent that was told to end, and whose log shows no start after that.
    ///
    /// ## Why it matters
    /// An orderly end is no fault: an upgrade, a drained node, a deployment scaled to zero. Until another process runs nothing
    /// reacts, and what happened after the end is not in this log.
    ///
    /// ## What to do
    /// Look whether another pod of the agent runs, and collect its log.
    pub static ENDED_AGENT = Rule {
        code: "FL0916",
        name: "ended-agent",
        severity: Severity::Note,
        reads: &[],
        check: ended_agent,
    }
}

fn ended_agent(cx: &mut Cx<'_>) {
    let started: Vec<(usize, u32)> =
        starts(cx).iter().map(|start| (start.event.log, start.event.line)).collect();
    for (number, log) in cx.logs().iter().enumerate() {
        let mut own = cx.log_events().iter().filter(|event| event.log == number);
        let Some(end) = own.rfind(|event| event.is(line::HUBAGENT_CONTROLLER_MANAGER_EXITED))
        else {
            continue;
        };
        let again = started.iter().any(|(log, line)| *log == number && *line > end.line);
        if again || goes_on(cx.logs(), log) {
            continue;
        }
        cx.report(
            ENDED_AGENT
                .at(end.span, "ends here")
                .of_input()
                .message(format!(
                    "The hub agent was told to end{}, and its log shows no start after that.",
                    cx.at_time(end)
                ))
                .why("An orderly end is no fault. Until another process runs, nothing reacts.")
                .recover(Recoverability::NothingToDo)
                .command(look_at_hub().words("get pods -n fleet-system -o wide").build()),
        );
    }
}

/// Says whether another log of hub-agent tells of a later time, or of one that cannot be compared.
fn goes_on(logs: &[Log], log: &Log) -> bool {
    logs.iter().filter(|other| other.agent == Agent::Hub).any(|other| {
        other.source != log.source
            && other.covers.zip(log.covers).is_none_or(|((_, theirs), (_, ours))| theirs > ours)
    })
}
