//! The events below an object: `Events:` and its table.
//!
//! Owns turning the table into the list `events` at the root of the object's tree, each item with
//! `type`, `reason`, `age`, `from` and `message`; YAML has no such key. `Events:  <none>` gives an
//! empty list, so that "none" differs from "not shown". Ages stay text: they are relative to a clock
//! that the text does not tell.

use crate::syntax::tree::{Entry, Node, Style, Value};
use crate::syntax::view::View;

use super::frame::{cover, map_node};
use super::header::string;
use super::line::{Line, columns};

/// The columns of the table, as keys.
const COLUMNS: [&str; 5] = ["type", "reason", "age", "from", "message"];

/// Parses the events that begin at the first line, up to the first line that is no part of them.
pub(super) fn parse_events(view: &View<'_>, lines: &[Line<'_>]) -> Option<Entry> {
    let first = lines.first()?;
    let mut offsets: Vec<usize> = Vec::new();
    let mut items: Vec<Node> = Vec::new();
    for line in lines.iter().skip(1) {
        let content = line.content();
        if content.starts_with("Type ") && content.ends_with("Message") {
            offsets = column_offsets(line);
        } else if content.is_empty() || content.starts_with("----") {
            continue;
        } else if line.indent > first.indent
            && let Some(item) = parse_event(view, line, &offsets)
        {
            items.push(item);
        } else if let Some(message) = items.last_mut().and_then(message_of) {
            parse_more_message(view, line, message);
        }
    }
    let span = cover(items.iter().map(|item| item.span), view.span(first.value_range()));
    let node = Node::new(span, Value::List(items));
    Some(Entry { key: "events".into(), key_span: view.span(first.label_range()), node })
}

/// Parses one row: by the columns of the table's head, else at gaps of two blanks.
fn parse_event(view: &View<'_>, line: &Line<'_>, offsets: &[usize]) -> Option<Node> {
    let cells = cells_by_offset(line, offsets).or_else(|| cells_by_gap(line))?;
    let entries = COLUMNS.iter().zip(cells).map(|(key, (start, end))| {
        let node = string(view, line.at + start..line.at + end);
        Entry { key: (*key).into(), key_span: node.span.start(), node }
    });
    Some(map_node(entries.collect(), view.span(line.content_range())))
}

/// Adds a line to the message of the last event.
fn parse_more_message(view: &View<'_>, line: &Line<'_>, message: &mut Node) {
    let Value::String(text) = &message.value else { return };
    message.value = Value::String(format!("{text}\n{}", line.content()).into());
    message.span = message.span.to(view.span(line.content_range()));
    message.style = Style::Encoded;
}

fn message_of(event: &mut Node) -> Option<&mut Node> {
    let Value::Map(entries) = &mut event.value else { return None };
    entries.iter_mut().find(|entry| &*entry.key == "message").map(|entry| &mut entry.node)
}

/// Returns the columns at which the names in the table's head begin.
fn column_offsets(head: &Line<'_>) -> Vec<usize> {
    let mut offsets = Vec::new();
    let mut before = ' ';
    for (at, c) in head.text.char_indices() {
        if before == ' ' && c != ' ' {
            offsets.push(head.text.get(..at).map_or(0, columns));
        }
        before = c;
    }
    offsets
}

/// Slices a row at the head's columns; `None` if the row does not keep them.
fn cells_by_offset(line: &Line<'_>, offsets: &[usize]) -> Option<Vec<(usize, usize)>> {
    if offsets.len() != COLUMNS.len() {
        return None;
    }
    let starts: Option<Vec<usize>> = offsets.iter().map(|&column| byte_at(line.text, column)).collect();
    let starts = starts?;
    let mut cells = Vec::new();
    for (number, &start) in starts.iter().enumerate() {
        let before = line.text.get(..start)?;
        if !before.ends_with("  ") {
            return None;
        }
        let end = starts.get(number + 1).copied().unwrap_or(line.text.len());
        let cell = line.text.get(start..end)?;
        if cell.starts_with(' ') && !cell.trim().is_empty() {
            return None;
        }
        cells.push((start, start + cell.trim_end().len()));
    }
    Some(cells)
}

fn byte_at(text: &str, column: usize) -> Option<usize> {
    text.char_indices().nth(column).map(|(at, _)| at)
}

/// Cuts a row at gaps of two blanks or more; the last cell keeps its gaps.
fn cells_by_gap(line: &Line<'_>) -> Option<Vec<(usize, usize)>> {
    let mut cells = Vec::new();
    let mut start = line.body;
    let text = line.text.trim_end();
    while cells.len() + 1 < COLUMNS.len() {
        let rest = text.get(start..)?;
        let gap = rest.find("  ")?;
        cells.push((start, start + gap));
        let after = rest.get(gap..)?;
        start += gap + (after.len() - after.trim_start_matches(' ').len());
    }
    cells.push((start, text.len()));
    Some(cells)
}
