//! Error texts that stand alone: the last words of a run, copied without the run.
//!
//! A ticket often holds nothing but the message. It becomes a fragment of a run that has failed with these
//! words, without a name. Only a line that begins with the words counts: prose may quote them.

use crate::source::{SourceFile, Span};
use crate::syntax::tree::{Entry, Fidelity, Node, Value};
use crate::syntax::unpack::document;
use crate::syntax::{Document, Head, Parsed, Syntax};

/// How every fatal error of a run begins, in all releases.
const WORDS: &str = "cannot continue the ";
/// More such lines than any ticket holds.
const MOST: usize = 64;

/// Adds a fragment for each error text that no document holds.
pub(super) fn add_spoken(source: &SourceFile, parsed: &mut Parsed) {
    let mut found = Vec::new();
    for index in 0..source.line_count() {
        let line = source.line_span(index);
        let text = source.slice(line);
        // Most lines end here.
        let Some(at) = text.find(WORDS) else { continue };
        let lead = text.get(..at).unwrap_or_default();
        let bare = lead
            .chars()
            .all(|c| c.is_whitespace() || matches!(c, '>' | '"' | '\'' | '`' | '[' | '*' | '-'));
        let message = line.within(at..text.trim_end_matches(['"', '\'', '`', ' ']).len());
        let held = parsed.documents.iter().any(|document| document.span.contains(message))
            || parsed.logs.iter().any(|log| log.span.contains(message));
        if bare && !held && found.len() < MOST {
            found.push(fragment(source, message));
        }
    }
    if !found.is_empty() {
        parsed.documents.append(&mut found);
        parsed.documents.sort_by_key(|document| document.span);
    }
}

fn fragment(source: &SourceFile, message: Span) -> Document {
    let node = |value: Value| Node { fidelity: Fidelity::Inferred, ..Node::new(message, value) };
    let entry = |key: &str, node: Node| Entry { key: key.into(), key_span: message.start(), node };
    let text = |text: &str| node(Value::String(text.into()));
    let condition = node(Value::Map(vec![
        entry("type", text("Succeeded")),
        entry("status", text("False")),
        entry("reason", text("UpdateRunFailed")),
        entry("message", Node::new(message, Value::String(source.slice(message).into()))),
    ]));
    let conditions = node(Value::List(vec![condition]));
    let status = node(Value::Map(vec![entry("conditions", conditions)]));
    let root = node(Value::Map(vec![entry("status", status)]));
    let head = Head { kind: Some("ClusterStagedUpdateRun".into()), ..Head::default() };
    Document { head, root: Some(root), partial: true, ..document(message, Syntax::Describe) }
}
