//! The header: name, namespace, labels and annotations, which kubectl prints above the body.
//!
//! Owns turning them into entries of `metadata`, where YAML has them, for the generic describer and
//! the built-in ones alike. Keys and values of labels and annotations are printed as they are, but
//! lines of long annotations are cut.

use std::ops::Range;

use crate::source::Span;
use crate::syntax::text_view::TextView;
use crate::syntax::tree::{Entry, Fidelity, Node, Style, Value};

use super::line::{DescribeLine, Pad};
use super::open_field::map_node;

/// kubectl cuts each line of a long annotation at this many bytes and puts `...` behind it
/// (kubectl `pkg/describe/describe.go`, `printAnnotationsMultiline`, `maxAnnotationLen`).
const ANNOTATION_CUT: usize = 138;

/// The labels of the header, in kubectl's order.
const HEADER: &[&str] = &["Name", "Namespace", "Labels", "Annotations"];

/// Parses the header at the start of some lines; returns its entries and how many lines it has.
pub(super) fn parse_header(view: &TextView<'_>, lines: &[DescribeLine<'_>]) -> (Vec<Entry>, usize) {
    let mut entries = Vec::new();
    let mut index = 0;
    while let Some(line) = lines.get(index) {
        let Some(label) = line.label_text().filter(|label| HEADER.contains(label)) else { break };
        let block = block_of(lines, index);
        entries.extend(parse_header_field(
            view,
            label,
            lines.get(block.clone()).unwrap_or_default(),
        ));
        index = block.end;
        if label == "Annotations" {
            break;
        }
    }
    (entries, index)
}

/// Says whether a header has lost its line of labels: kubectl prints one above the annotations, with `<none>` if there are none.
pub(super) fn lacks_labels(lines: &[DescribeLine<'_>]) -> bool {
    let has = |label| lines.iter().any(|line| line.label_text() == Some(label));
    has("Annotations") && !has("Labels")
}

/// Parses one header field with its further lines into an entry of `metadata`.
pub(super) fn parse_header_field(
    view: &TextView<'_>,
    label: &str,
    lines: &[DescribeLine<'_>],
) -> Option<Entry> {
    let line = lines.first()?;
    let (key, node) = match label {
        "Name" => ("name", parse_name(view, line)?),
        "Namespace" => ("namespace", parse_name(view, line)?),
        "Labels" => ("labels", map_of(view, parse_labels(view, lines), line)?),
        "Annotations" => ("annotations", map_of(view, parse_annotations(view, lines), line)?),
        _ => return None,
    };
    Some(Entry { key: key.into(), key_span: view.span(line.label_range()), node })
}

/// Returns the lines of a header field: its own and those that hang below its value.
pub(super) fn block_of(lines: &[DescribeLine<'_>], index: usize) -> Range<usize> {
    let Some(first) = lines.get(index) else { return index..index };
    let column = first.value_column().unwrap_or(first.indent + 1);
    let hangs = |line: &DescribeLine<'_>| line.indent >= column && line.indent > first.indent;
    let belongs =
        |line: &&DescribeLine<'_>| hangs(line) || line.is_blank() || is_shifted(first, line);
    // An empty line of a long annotation shows as blanks only, which editors remove.
    let further = lines.iter().skip(index + 1).take_while(belongs);
    let last = further.enumerate().filter(|(_, line)| !line.is_blank()).last();
    index..index + 1 + last.map_or(0, |(number, _)| number + 1)
}

/// Says whether a line at the left margin is a label or annotation that lost its indentation.
fn is_shifted(first: &DescribeLine<'_>, line: &DescribeLine<'_>) -> bool {
    let pad = line.label.map(|label| label.pad);
    let key = line.label_text().unwrap_or_default();
    match first.label_text() {
        _ if line.indent != first.indent => false,
        Some("Labels") => pad.is_none() && line.content().contains('='),
        Some("Annotations") => {
            matches!(pad, Some(Pad::Narrow | Pad::None)) && key.contains(['.', '/'])
        }
        _ => false,
    }
}

fn parse_name(view: &TextView<'_>, line: &DescribeLine<'_>) -> Option<Node> {
    let text = line.value();
    (!text.is_empty()).then(|| string(view, line.value_range()))
}

fn map_of(view: &TextView<'_>, entries: Vec<Entry>, line: &DescribeLine<'_>) -> Option<Node> {
    (!entries.is_empty()).then(|| map_node(entries, view.span(line.value_range())))
}

/// Parses `key=value` lines.
fn parse_labels(view: &TextView<'_>, lines: &[DescribeLine<'_>]) -> Vec<Entry> {
    cells(lines).filter_map(|(at, text)| parse_pair(view, at, text, "=")).collect()
}

/// Parses annotations, each with the deeper lines below it.
fn parse_annotations(view: &TextView<'_>, lines: &[DescribeLine<'_>]) -> Vec<Entry> {
    let column = lines.first().and_then(DescribeLine::value_column).unwrap_or_default() + 2;
    let is_deep = |line: &&DescribeLine<'_>| line.indent >= column || line.is_blank();
    let mut cells = cells(lines).zip(1..);
    let mut entries = Vec::new();
    while let Some((cell, number)) = cells.next() {
        let rest = lines.get(number..).unwrap_or_default();
        let (below, _) = rest.split_at(rest.iter().take_while(is_deep).count());
        entries.extend(parse_annotation(view, cell, below, column));
        for _ in below {
            cells.next();
        }
    }
    entries
}

/// Parses `key: value`, or `key:` with the lines of a longer value below it.
fn parse_annotation(
    view: &TextView<'_>,
    (at, text): (usize, &str),
    below: &[DescribeLine<'_>],
    column: usize,
) -> Option<Entry> {
    let mut entry = parse_pair(view, at, text, ":")?;
    if !below.is_empty() {
        // What stands behind the column is the value's own, leading blanks included.
        let cells = below.iter().map(|line| {
            let start = column.min(line.body);
            (line.at + start, line.text.get(start..).unwrap_or_default())
        });
        entry.node = long_annotation(view, &cells.collect::<Vec<_>>());
    }
    Some(entry)
}

/// Parses a key and a value around a separator, behind which a blank may stand.
fn parse_pair(view: &TextView<'_>, at: usize, text: &str, separator: &str) -> Option<Entry> {
    let (key, value) = text.split_once(separator)?;
    let value = if separator == ":" { value.strip_prefix(' ').unwrap_or(value) } else { value };
    let end = at + text.len();
    let key_span = view.span(at..at + key.len());
    Some(Entry { key: key.into(), key_span, node: string(view, end - value.len()..end) })
}

/// Joins the lines of a longer annotation, of which kubectl may have cut some.
fn long_annotation(view: &TextView<'_>, cells: &[(usize, &str)]) -> Node {
    let cut = |text: &'_ str| text.len() == ANNOTATION_CUT + 3 && text.ends_with("...");
    let lines = cells.iter().map(|(_, text)| match text.get(..ANNOTATION_CUT) {
        Some(whole) if cut(text) => whole,
        _ => text,
    });
    let value: String = lines.collect::<Vec<&str>>().join("\n");
    let span = cells.iter().map(|&(at, text)| view.span(at..at + text.len())).reduce(Span::to);
    let empty = view.span(0..0);
    let mut node = Node::new(span.unwrap_or(empty), Value::String(value.into()));
    if cells.iter().any(|(_, text)| cut(text)) {
        node.fidelity = Fidelity::Cut;
        node.style = Style::Encoded;
    } else if cells.len() > 1 {
        node.style = Style::Encoded;
    }
    node
}

/// Returns offset and text of each cell in the value column; `<none>` has none.
fn cells<'l>(lines: &'l [DescribeLine<'_>]) -> impl Iterator<Item = (usize, &'l str)> {
    let none = lines.first().is_some_and(|line| matches!(line.value(), "" | "<none>"));
    lines.iter().enumerate().filter(move |_| !none).map(|(number, line)| {
        let range = if number == 0 { line.value_range() } else { line.content_range() };
        (range.start, if number == 0 { line.value() } else { line.content() })
    })
}

/// Makes a string node of a range of the clean text.
pub(super) fn string(view: &TextView<'_>, range: Range<usize>) -> Node {
    let text = view.text().get(range.clone()).unwrap_or_default();
    Node::new(view.span(range), Value::String(text.into()))
}
