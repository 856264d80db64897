//! The processes that wrote a log: where each begins.

use crate::grammar::message::line;
use crate::model::log::LogEvent;
use crate::rule::Cx;

/// A start of an agent that the log shows.
pub struct AgentStart<'g> {
    /// Its place among the events.
    pub index: usize,
    /// The log line with which the process starts.
    pub event: &'g LogEvent,
    /// The last line of the process before it, if the same log shows that one at work.
    pub before: Option<&'g LogEvent>,
}

/// Returns the starts of agents, log by log in file order.
pub fn starts<'g>(cx: &Cx<'g>) -> Vec<AgentStart<'g>> {
    let events = cx.log_events();
    let mut starts: Vec<AgentStart<'g>> = Vec::new();
    // One walk over all lines: whether the log has shown work, and its last line.
    let mut worked: Option<usize> = None;
    let mut last: Option<&'g LogEvent> = None;
    for (index, event) in events.iter().enumerate() {
        if last.is_some_and(|last| last.log != event.log) {
            (worked, last) = (None, None);
        }
        if is_flag(event) {
            continue;
        }
        if is_start(event) {
            let before = last.filter(|_| worked.is_some());
            starts.push(AgentStart { index, event, before });
            worked = Some(index);
        } else if !event.refs.is_empty() {
            worked = Some(index);
        }
        last = Some(event);
    }
    starts
}

/// Says whether an agent begins with this line; a member agent writes a second one for its other manager.
fn is_start(event: &LogEvent) -> bool {
    event.is(line::HUBAGENT_STARTING_HUB) || event.is(line::MEMBERAGENT_STARTING_HUB_MANAGER)
}

/// Says whether a line shows a flag, which agents list before they say that they start.
pub fn is_flag(event: &LogEvent) -> bool {
    event.is(line::HUBAGENT_FLAG) || event.is(line::MEMBERAGENT_FLAG)
}
