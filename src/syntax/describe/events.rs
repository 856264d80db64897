//! The events below an object: `Events:` and its table.
//!
//! Owns turning the table into the list `events` at the root of the object's tree, each item with
//! `type`, `reason`, `age`, `from` and `message`; YAML has no such key. `Events:  <none>` gives an
//! empty list, so that "none" differs from "not shown". Ages stay text: they are relative to a clock
//! that the text does not tell.

use std::ops::Range;

use crate::source::Span;
use crate::syntax::text_view::TextView;
use crate::syntax::tree::{Entry, Node, Style, Value};

use super::grid::{Grid, is_rule};
use super::header::string;
use super::line::DescribeLine;
use super::open_field::{cover, map_node};

/// The columns that the table has in every kubectl.
const COLUMNS: [&str; 5] = ["Type", "Reason", "Age", "From", "Message"];

/// Parses the events that begin at the first of some lines.
pub(super) fn parse_events(view: &TextView<'_>, lines: &[DescribeLine<'_>]) -> Option<Entry> {
    let (first, below) = lines.split_first()?;
    // Two blank lines stand between objects; behind them is the torn head of the next one.
    let end = below.windows(2).position(|pair| pair.iter().all(DescribeLine::is_blank));
    let below = below.get(..end.unwrap_or(below.len())).unwrap_or_default();
    let head = below.iter().find(|line| line.content().starts_with("Type "));
    let grid = head.map(Grid::parse_columns).filter(|grid| grid.names() == COLUMNS);
    let mut items = Vec::new();
    if let Some(grid) = grid {
        let is_row = |line: &&DescribeLine<'_>| {
            !line.is_blank() && !is_rule(line) && head.is_none_or(|head| line.at > head.at)
        };
        let rows: Vec<&DescribeLine<'_>> = below.iter().filter(is_row).collect();
        let mut rows = rows.as_slice();
        while let Some((row, rest)) = rows.split_first() {
            let cells = cells_of(row, &grid, first.indent);
            // A message goes on at the left margin.
            let more = rest.iter().take_while(|line| cells_of(line, &grid, first.indent).is_none());
            let (more, rest) = rest.split_at(more.count());
            items.extend(cells.map(|cells| parse_event(view, &cells, more)));
            rows = rest;
        }
    }
    let span = cover(items.iter().map(|item: &Node| item.span), view.span(first.value_range()));
    let node = Node::new(span, Value::List(items));
    Some(Entry { key: "events".into(), key_span: view.span(first.label_range()), node })
}

/// Parses one row and the further lines of its message.
fn parse_event(view: &TextView<'_>, cells: &[Range<usize>], more: &[&DescribeLine<'_>]) -> Node {
    let mut entries: Vec<Entry> = Vec::new();
    for (name, cell) in COLUMNS.iter().zip(cells) {
        let node = string(view, cell.clone());
        let key_span = node.span.start();
        entries.push(Entry { key: name.to_lowercase().into(), key_span, node });
    }
    if let Some(message) = entries.last_mut().filter(|_| !more.is_empty()) {
        let first = message.node.as_str().unwrap_or_default();
        let lines = [first].into_iter().chain(more.iter().map(|line| line.content()));
        message.node.value = Value::String(lines.collect::<Vec<&str>>().join("\n").into());
        message.node.style = Style::Encoded;
        let spans = more.iter().map(|line| view.span(line.content_range()));
        message.node.span = spans.fold(message.node.span, Span::to);
    }
    map_node(entries, view.span(0..0))
}

fn cells_of(line: &DescribeLine<'_>, grid: &Grid<'_>, margin: usize) -> Option<Vec<Range<usize>>> {
    (line.indent > margin).then(|| grid.parse_row(line)).flatten()
}
