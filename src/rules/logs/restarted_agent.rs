//! FL0907 restarted-agent.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::kube::time::show_duration;
use crate::model::log::Agent;
use crate::rule::Cx;
use crate::rules::commands::agent_log;
use crate::rules::logs::agent_starts::starts;

declare_rule! {
    /// An agent that was started again within its log.
    ///
    /// ## Why it matters
    /// While the agent was away nothing reacted, heartbeats grew old and back-off times were lost. What happened right
    /// before and after the gap is often due to it.
    ///
    /// ## What to do
    /// Look at why the pod ended: its last state, its events, and the log of the process before (`--previous`).
    pub static RESTARTED_AGENT = Rule {
        code: "FL0907",
        name: "restarted-agent",
        severity: Severity::Note,
        reads: &[],
        check: restarted_agent,
    }
}

fn restarted_agent(cx: &mut Cx<'_>) {
    for start in starts(cx) {
        let Some(before) = start.before else { continue };
        let agent = cx.logs().get(start.event.log).map(|log| log.agent);
        // Its deployment is called the same.
        let name = agent.and_then(Agent::name).unwrap_or("hub-agent");
        let away =
            before.time.zip(start.event.time).map(|(last, first)| first.duration_since(last));
        let away = away.map(|away| format!(", {} after its last line", show_duration(away)));
        cx.report(
            RESTARTED_AGENT
                .at(start.event.span, "starts again here")
                .of_input()
                .also_log(before.span, "the last line before", None)
                .message(format!(
                    "{name} was started again{}{}.",
                    cx.at_time(start.event),
                    away.unwrap_or_default()
                ))
                .why("While it was away nothing reacted. What came due in that time happened late.")
                .recover(Recoverability::NothingToDo)
                .command(agent_log(name, "--previous --tail=-1")),
        );
    }
}
