//! FL0909 panic-in-log.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::message::HoleRole;
use crate::model::log::{Agent, LogEvent};
use crate::rule::Cx;
use crate::rules::commands::agent_log;
use crate::rules::sentence::full_stop;

declare_rule! {
    /// A controller that panicked.
    ///
    /// ## Why it matters
    /// A panic is a fault of the controller, not of the fleet. A recovered one is tried again with the same input and mostly
    /// panics again, so that the object it works on never gets on; an unrecovered one ends the agent.
    ///
    /// ## What to do
    /// Report it with the trace, and look for what is unusual in the object that was being worked on.
    pub static PANIC_IN_LOG = Rule {
        code: "FL0909",
        name: "panic-in-log",
        severity: Severity::Error,
        reads: &[],
        check: panic_in_log,
    }
}

/// What a line may be about, the most telling first.
const SUBJECTS: [HoleRole; 4] =
    [HoleRole::Run, HoleRole::Work, HoleRole::Binding, HoleRole::Placement];

fn panic_in_log(cx: &mut Cx<'_>) {
    let mut told: Vec<(usize, String)> = Vec::new();
    for event in cx.log_events() {
        let Some(words) = words_of_panic(event, cx.text_of(event.span)) else { continue };
        if told.iter().any(|(log, known)| *log == event.log && *known == words) {
            continue;
        }
        told.push((event.log, words.clone()));
        let agent = cx.logs().get(event.log).map(|log| log.agent);
        let name = agent.and_then(Agent::name).unwrap_or("hub-agent");
        let about = SUBJECTS.iter().find_map(|role| event.named(*role));
        let about = about.map(|name| format!(" while it worked on {name}"));
        cx.report(
            PANIC_IN_LOG
                .at(event.span, "the panic")
                .message(format!(
                    "{name} panicked{}: {}",
                    about.unwrap_or_default(),
                    full_stop(&words)
                ))
                .why("A panic is a fault of the controller. With the same input it comes again.")
                .recover(Recoverability::WaitsForPerson)
                .command(agent_log(name, "--previous --tail=-1")),
        );
    }
}

/// Returns what a panic says: noticed by the runtime, caught by the controller library, or bare below the last record.
fn words_of_panic(event: &LogEvent, record: &str) -> Option<String> {
    let error = event.error.as_ref().map(|(error, _)| &**error).unwrap_or_default();
    let first_line = |text: &str| text.lines().next().unwrap_or_default().trim().to_owned();
    if let Some(rest) = event.message.strip_prefix("Observed a panic") {
        let rest = rest.trim_start_matches(':').trim();
        let inside = record.split_once("panic=\"").and_then(|(_, rest)| rest.split_once('"'));
        let words = if rest.is_empty() { inside.map_or(error, |(words, _)| words) } else { rest };
        return Some(first_line(words));
    }
    if let Some(rest) = error.strip_prefix("panic: ") {
        return Some(first_line(rest));
    }
    // Nearly every record is a single line, which is told apart fastest.
    let break_at = memchr::memchr(b'\n', record.as_bytes())?;
    let (_, rest) = record.get(break_at..)?.split_once("\npanic: ")?;
    rest.contains("goroutine ").then(|| first_line(rest))
}
