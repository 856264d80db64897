//! The log lines that say what a finding says: joined by the words of the error, not by the object alone.
//!
//! A controller writes the same error to its log and, sooner or later, to a condition. Where a place of a finding
//! holds the error of a log line, or the line holds the text of the place, the line is shown beside it: it tells when
//! this began and whether it still goes on. LogLines that merely name the same object are left to the timeline.

use std::collections::BTreeMap;

use crate::finding::{Finding, Label};
use crate::graph::Graph;
use crate::model::log::{Agent, LogEvent};
use crate::source::{Sources, Span};
use crate::syntax::log::RecordLevel;

/// Shorter texts are alike by chance.
const SHORTEST: usize = 40;

/// Longer places are whole objects, no messages.
const LONGEST: usize = 16 << 10;

/// How many lines a folded message goes on before and after the words that matter.
const AROUND: usize = 4;

/// More different errors than this are not compared.
const MAX_ERRORS: usize = 2_000;

/// Where an error was logged first and last.
struct Logged<'g> {
    error: String,
    first: &'g LogEvent,
    last: &'g LogEvent,
}

/// Adds to each finding the first and the last log line that say the same.
pub(super) fn add_lines(findings: &mut [Finding], graph: &Graph, sources: &Sources) {
    let logged = logged_errors(graph);
    if logged.is_empty() {
        return;
    }
    for finding in findings {
        let spans =
            std::iter::once(&finding.primary).chain(&finding.related).map(|label| label.span);
        let spans: Vec<Span> = spans.collect();
        // A rule that shows log lines has chosen them.
        if spans.iter().any(|span| graph.logs.iter().any(|log| log.source == span.source)) {
            continue;
        }
        let texts = spans.iter().map(|span| (*span, sources.text(*span)));
        let texts = texts.filter(|(_, text)| text.len() <= LONGEST);
        let texts: Vec<(String, String)> =
            texts.map(|(span, text)| (squeeze(text), squeeze(around(sources, span)))).collect();
        let same = |logged: &&Logged<'_>| {
            texts.iter().any(|(text, around)| {
                around.contains(&logged.error)
                    || (text.len() >= SHORTEST && logged.error.contains(text))
            })
        };
        // The longest words in common tell most.
        let Some(found) = logged.iter().filter(same).max_by_key(|logged| logged.error.len()) else {
            continue;
        };
        let name = match graph.logs.get(found.first.log).map(|log| log.agent) {
            Some(Agent::Hub) => "hub-agent",
            Some(Agent::Member) => "the member agent",
            _ => "an agent",
        };
        finding.related.extend(labels(found, name));
    }
}

/// Returns the first line, and the last one if it is another.
fn labels(found: &Logged<'_>, name: &str) -> Vec<Label> {
    let label = |event: &LogEvent, text: String| {
        let span = event.error.as_ref().map_or(event.span, |(_, span)| *span);
        Label { span, text, subject: event.subject().map(Box::new), field: None }
    };
    let mut labels = vec![label(found.first, format!("{name} says so"))];
    if found.first.span != found.last.span {
        labels.push(label(found.last, "and again, for the last time in the log".to_owned()));
    }
    labels
}

/// Collects what the logs complain of, by the words.
fn logged_errors(graph: &Graph) -> Vec<Logged<'_>> {
    let mut known: BTreeMap<String, (&LogEvent, &LogEvent)> = BTreeMap::new();
    let complaints =
        graph.log_events.iter().filter(|event| event.level >= Some(RecordLevel::Error));
    for event in complaints {
        let Some((error, _)) = &event.error else { continue };
        let error = squeeze(error);
        if error.len() < SHORTEST || (known.len() >= MAX_ERRORS && !known.contains_key(&error)) {
            continue;
        }
        known.entry(error).and_modify(|(_, last)| *last = event).or_insert((event, event));
    }
    known.into_iter().map(|(error, (first, last))| Logged { error, first, last }).collect()
}

/// Returns a place with the lines around it: a rule points at the words that matter of a longer message.
fn around(sources: &Sources, span: Span) -> &str {
    let file = sources.get(span.source);
    let last =
        file.line_index(span.hi).saturating_add(AROUND).min(file.line_count().saturating_sub(1));
    let first = file.line_span(file.line_index(span.lo).saturating_sub(AROUND));
    let text = sources.text(first.to(file.line_span(last)));
    if text.len() <= LONGEST { text } else { sources.text(span) }
}

/// Leaves out blanks, line breaks and quotes, which YAML and logs write in different ways.
fn squeeze(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '"' | '\'' | '\\')).collect()
}
