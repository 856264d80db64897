//! What a filter took out of an object, put back to where it stood.
//!
//! Owns the reading of lines that jq or `-o jsonpath` printed, by the [`Projection`] of the command above them, and the
//! renaming of keys that a filter made up. What a condition in such a piece lacks is told by its own words.
//! Invariant: every value keeps the place at which it was printed.

use std::sync::Arc;

use smol_str::SmolStr;

use crate::grammar::kind::{Scope, find_kind};
use crate::grammar::message::find_sentences;
use crate::source::Span;
use crate::syntax::flatten_lists::document;
use crate::syntax::projection::{Path, Projection, ProjectionShape, ProjectionStep};
use crate::syntax::text_view::TextView;
use crate::syntax::tree::{Entries, Entry, Fidelity, Node, Style, Value};
use crate::syntax::{Context, Document, DocumentHead, Syntax};

/// Reads lines that a filter printed; none where the command does not say of what.
pub(super) fn read_projected(view: &TextView<'_>, context: &Context) -> Vec<Document> {
    let Some(projection) = context.projection.as_deref() else { return Vec::new() };
    let rows = match &projection.shape {
        ProjectionShape::Value => vec![vec![whole_value(view)]],
        ProjectionShape::Line(cells) => {
            lines(view).iter().filter_map(|line| split_line(view, line, cells)).collect()
        }
        ProjectionShape::Columns(columns) => {
            lines(view).iter().skip(1).filter_map(|line| split_row(view, line, columns)).collect()
        }
        ProjectionShape::Fields(_) => return Vec::new(),
    };
    // Rows of different objects, or all of one.
    let many = matches!(projection.base.first(), Some(ProjectionStep::Key(key)) if &**key == "items")
        || (context.name.is_none() && matches!(projection.shape, ProjectionShape::Columns(_)));
    let base = projection.base.get(if many && !projection.base.is_empty() { 2 } else { 0 }..);
    let base = base.unwrap_or_default();
    let mut documents: Vec<Document> = Vec::new();
    let mut root: Option<Node> = None;
    for row in rows {
        let mut item: Option<Node> = None;
        for (path, node) in row {
            put(&mut item, path, node);
        }
        let Some(item) = item else { continue };
        if many {
            let mut own = None;
            put(&mut own, base, item);
            documents.extend(own.and_then(|root| document_of(root, context)));
        } else {
            put(&mut root, base, item);
        }
    }
    documents.extend(root.and_then(|root| document_of(root, context)));
    documents
}

/// Gives the keys that a filter made up back the names of their fields.
pub(super) fn restore_keys(documents: &mut [Document], context: &Context) {
    let Some(Projection { base, shape: ProjectionShape::Fields(fields) }) =
        context.projection.as_deref()
    else {
        return;
    };
    for document in documents {
        let Some(Node { value: Value::Map(entries), .. }) = document.root.as_deref() else {
            continue;
        };
        let path_of = |entry: &Entry| fields.iter().find(|(key, _)| *key == entry.key);
        if document.head.kind.is_some() || !entries.iter().all(|entry| path_of(entry).is_some()) {
            continue;
        }
        let mut root = None;
        for entry in entries {
            let Some((_, path)) = path_of(entry) else { continue };
            let is_items =
                matches!(base.first(), Some(ProjectionStep::Key(key)) if &**key == "items");
            let above = base.get(if is_items { 2 } else { 0 }..).unwrap_or_default();
            let whole: Path = above.iter().chain(path).cloned().collect();
            put(&mut root, &whole, entry.node.clone());
        }
        if let Some(found) = root.and_then(|root| document_of(root, context)) {
            let (listed, syntax) = (document.listed, document.syntax);
            *document = Document { listed, syntax, ..found };
        }
    }
}

fn document_of(root: Node, context: &Context) -> Option<Document> {
    let spec = find_kind(context.kind.as_deref()?)?;
    let root = complete_conditions(root, spec.name);
    let text = |path: &[&str]| root.at(path).and_then(Node::as_str).map(SmolStr::from);
    let head = DocumentHead {
        api_version: None,
        kind: Some(spec.name.into()),
        namespace: text(&["metadata", "namespace"])
            .or_else(|| context.namespace.clone().filter(|_| spec.scope == Scope::Namespaced)),
        name: text(&["metadata", "name"]).or_else(|| context.name.clone()),
    };
    let root = root.with_fidelity(Fidelity::Cut);
    let span = root.span;
    Some(Document {
        head,
        root: Some(Arc::new(root)),
        partial: true,
        ..document(span, Syntax::Describe)
    })
}

type Cell<'p> = (&'p [ProjectionStep], Node);

/// Reads all of a text as one value; quotes of the shell or of Markdown around it go.
fn whole_value<'p>(view: &TextView<'_>) -> Cell<'p> {
    let text = view.text();
    let inner = text.trim().trim_matches(['`', '"', '\'']).trim();
    let start = text.find(inner).unwrap_or(0);
    (&[], leaf(view, start, inner))
}

fn leaf(view: &TextView<'_>, start: usize, text: &str) -> Node {
    let value = match text.parse() {
        Ok(number) => Value::Int(number),
        Err(_) => Value::String(unwrapped(text).into()),
    };
    let style = if text.contains('\n') { Style::Encoded } else { Style::Plain };
    Node { style, ..Node::new(view.span(start..start + text.len()), value) }
}

fn unwrapped(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the lines of a view that say something, with their offsets.
fn lines<'v>(view: &'v TextView<'_>) -> Vec<(usize, &'v str)> {
    let mut at = 0;
    let all = view.text().split_inclusive('\n').map(|line| {
        let start = at;
        at += line.len();
        (start, line.trim_end())
    });
    all.filter(|(_, line)| !line.trim().is_empty()).collect()
}

/// Splits a line at what is printed behind each of its fields.
fn split_line<'p>(
    view: &TextView<'_>,
    (start, line): &(usize, &str),
    cells: &'p [(Path, SmolStr)],
) -> Option<Vec<Cell<'p>>> {
    let mut found = Vec::new();
    let mut at = 0;
    for (number, (path, end)) in cells.iter().enumerate() {
        let rest = line.get(at..)?;
        let last = number + 1 == cells.len();
        let end = end.trim_end_matches('\n');
        let (len, skip) = match rest.find(end).filter(|_| !last && !end.is_empty()) {
            Some(len) => (len, end.len()),
            None if last => (rest.len(), 0),
            // A copy turns tabs into blanks.
            None if end == "\t" => {
                let len = rest.find("  ")?;
                let gap = rest.get(len..)?;
                (len, gap.len() - gap.trim_start().len())
            }
            None => return None,
        };
        let raw = rest.get(..len)?;
        let text = raw.trim().trim_matches('"');
        let lead = raw.find(text).unwrap_or(0);
        if !text.is_empty() {
            found.push((path.as_slice(), leaf(view, start + at + lead, text)));
        }
        at += len + skip;
    }
    Some(found)
}

/// Splits a row of a table with made-up columns; an empty field is printed as `<none>`.
fn split_row<'p>(
    view: &TextView<'_>,
    (start, line): &(usize, &str),
    columns: &'p [(SmolStr, Path)],
) -> Option<Vec<Cell<'p>>> {
    let mut at = 0;
    let mut texts = Vec::new();
    for piece in line.split("  ") {
        let text = piece.trim();
        if !text.is_empty() {
            texts.push((start + at + piece.find(text)?, text));
        }
        at += piece.len() + 2;
    }
    let cells = columns.iter().zip(texts.iter()).filter(|(_, (_, text))| *text != "<none>");
    (texts.len() == columns.len()).then(|| {
        cells.map(|((_, path), (at, text))| (path.as_slice(), leaf(view, *at, text))).collect()
    })
}

/// Puts a value below a path, making what is not there.
fn put(node: &mut Option<Node>, path: &[ProjectionStep], value: Node) {
    let span = value.span;
    let Some((step, rest)) = path.split_first() else {
        node.get_or_insert(value);
        return;
    };
    let empty = if matches!(step, ProjectionStep::Key(_)) {
        Value::Map(Entries::default())
    } else {
        Value::List(Vec::new())
    };
    let own = node.get_or_insert_with(|| Node::new(span, empty).with_fidelity(Fidelity::Cut));
    own.span = own.span.to(span);
    match (step, &mut own.value) {
        (ProjectionStep::Key(key), Value::Map(entries)) => {
            let known = entries.iter().position(|entry| entry.key == *key);
            let mut below = known.map(|at| entries.remove(at).node);
            put(&mut below, rest, value);
            let Some(node) = below else { return };
            entries.push(Entry { key: key.clone(), key_span: node.span.start(), node });
        }
        (ProjectionStep::Item | ProjectionStep::ItemWhere(..), Value::List(items)) => {
            // Two fields of one printed item come with the item itself.
            let mut below = None;
            if let ProjectionStep::ItemWhere(key, text) = step {
                put(&mut below, &[ProjectionStep::Key(key.clone())], inferred(span, text));
            }
            put(&mut below, rest, value);
            items.extend(below);
        }
        _ => {}
    }
}

fn inferred(span: Span, text: &str) -> Node {
    let node = Node::new(span.start(), Value::String(text.into()));
    Node { style: Style::Encoded, fidelity: Fidelity::Inferred, ..node }
}

/// Fills in type, status and reason of conditions of which only the words were printed.
fn complete_conditions(mut root: Node, kind: &str) -> Node {
    complete(&mut root, kind, false);
    root
}

fn complete(node: &mut Node, kind: &str, failed: bool) {
    let span = node.span;
    match &mut node.value {
        Value::Map(entries) => {
            let has = |entries: &[Entry], key: &str| entries.iter().any(|entry| &*entry.key == key);
            let words = entries.iter().find(|entry| &*entry.key == "message");
            if let Some(words) = words.and_then(|entry| entry.node.as_str()).map(str::to_owned) {
                let told = find_sentences(&words).into_iter().next().map(|found| found.condition);
                let available = failed && words.contains("vailable");
                let (of_type, reason) = match (&told, failed) {
                    (_, true) if available => ("Available".to_owned(), None),
                    (_, true) => ("Applied".to_owned(), None),
                    (Some(told), _) => (prefixed(kind, told.r#type), Some(told.reason)),
                    (None, _) => return,
                };
                let status = told.as_ref().filter(|_| !failed).map_or("False", |told| told.status);
                let wanted =
                    [("type", Some(&*of_type)), ("status", Some(status)), ("reason", reason)];
                for (key, value) in wanted {
                    if let Some(value) = value.filter(|_| !has(entries, key)) {
                        let node = inferred(span, value);
                        entries.push(Entry { key: key.into(), key_span: span.start(), node });
                    }
                }
            }
            for entry in entries {
                let below = failed || &*entry.key == "failedPlacements";
                complete(&mut entry.node, kind, below);
            }
        }
        Value::List(items) => items.iter_mut().for_each(|item| complete(item, kind, failed)),
        _ => {}
    }
}

/// Returns the type of a placement's own condition, which begins with its kind.
fn prefixed(kind: &str, condition: &str) -> String {
    if kind.ends_with("ResourcePlacement") && !condition.starts_with(kind) {
        return format!("{kind}{condition}");
    }
    condition.to_owned()
}
