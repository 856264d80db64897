//! FL0921 unexplained-errors-in-log.

use std::collections::{BTreeMap, BTreeSet};

use jiff::SignedDuration;

use crate::declare_rule;
use crate::finding::{Certainty, Finding, Recoverability, Severity, Topic};
use crate::grammar::message::{MessageContext, recognise};
use crate::model::key::ObjectKey;
use crate::model::log::{Agent, LogEvent};
use crate::rule::{Cx, Explained};
use crate::rules::commands::show_command;
use crate::rules::logs::binding_takeovers::goes_on_for;
use crate::rules::sentence::{clip_to, full_stop, join_names};
use crate::syntax::log::RecordLevel;

declare_rule! {
    /// An error that an agent logs again and again, and that no other rule explains.
    ///
    /// ## Why it matters
    /// Agents try failed work again, so that one error means nothing. The same error again and again, up to the end of
    /// the log, means that something does not work, even where fleetlens has no rule for these words.
    ///
    /// ## What to do
    /// Read the agent's own words, and look at the object that the lines name.
    ///
    /// ## Also covered
    /// Not told: errors that had ended ten minutes before the log does, and conflicts of two writers, which the next try
    /// settles.
    pub static UNEXPLAINED_ERRORS_IN_LOG = Rule {
        code: "FL0921",
        name: "unexplained-errors-in-log",
        severity: Severity::Warning,
        reads: &[],
        net: unexplained_errors_in_log,
    }
}

/// How often an error has to be logged.
const LEAST: usize = 3;

/// Errors that ended so long before the log does are over.
const OVER: SignedDuration = SignedDuration::from_mins(10);

/// How many objects are asked for; the message counts the rest.
const SHOWN: usize = 3;

/// How much of an error is quoted.
const QUOTED: usize = 160;

fn unexplained_errors_in_log(cx: &mut Cx<'_>, told: &Explained) {
    let explained: BTreeSet<&ObjectKey> = told.objects().collect();
    let mut groups: BTreeMap<(usize, &str), Vec<&LogEvent>> = BTreeMap::new();
    // An error is logged again and again, and taking one apart is slow.
    let mut known: BTreeMap<&str, bool> = BTreeMap::new();
    for event in cx.log_events().iter().filter(|event| event.level >= Some(RecordLevel::Error)) {
        let told = event.objects().any(|key| explained.contains(&key) || cx.is_shown(told, &key))
            || told.points_into(event.span);
        let mut is_unknown = || match &event.error {
            Some((error, _)) => *known.entry(error).or_insert_with(|| is_unknown(error)),
            None => event.template.is_none(),
        };
        if !told && is_unknown() {
            groups.entry((event.log, &event.message)).or_default().push(event);
        }
    }
    for ((log, _), events) in groups {
        let agent = match cx.logs().get(log).map(|log| log.agent) {
            Some(Agent::Hub) => "The hub agent",
            Some(Agent::Member) => "The member agent",
            _ => continue,
        };
        let Some(last) = events.last().filter(|_| events.len() >= LEAST) else { continue };
        if !goes_on_for(cx, last, OVER) {
            let finding = describe(cx, agent, &events, last);
            cx.report(finding);
        }
    }
}

/// Says whether an error is none that the catalogue knows.
fn is_unknown(error: &str) -> bool {
    recognise(error, &MessageContext::default()).templates().next().is_none()
}

fn describe(cx: &mut Cx<'_>, agent: &str, events: &[&LogEvent], last: &LogEvent) -> Finding {
    let mut named: Vec<ObjectKey> = Vec::new();
    for key in events.iter().rev().filter_map(|event| event.subject()) {
        if !named.contains(&key) {
            named.push(key);
        }
    }
    let about = match named.as_slice() {
        [] => String::new(),
        some => format!(" about {}", join_names(some.iter().map(|key| &*key.name))),
    };
    let until = last.shown_time().map(|time| format!(", the last at {time}")).unwrap_or_default();
    let words = match &last.error {
        Some((error, _)) => format!("{}: {error}", last.message),
        None => last.message.to_string(),
    };
    let span = last.error.as_ref().map_or(last.span, |(_, span)| *span);
    let mut finding = UNEXPLAINED_ERRORS_IN_LOG
        .at(span, "the last of them")
        .message(format!(
            "{agent} logs the same error {} times{about}{until}. It says: {}",
            events.len(),
            full_stop(&clip_to(&words, QUOTED)),
        ))
        .why("An agent tries again what failed. No rule explains these words.")
        .then("The log alone does not tell what waits for it.")
        .recover(Recoverability::WaitsForPerson)
        .certainty(Certainty::Likely);
    for key in named.into_iter().take(SHOWN) {
        let command = show_command(&key);
        cx.ask(command.clone(), format!("whether {} suffers from these errors", key.name));
        finding = finding.command(command).about(Topic::Object(key));
    }
    finding
}
