//! Cells become fields: the tree of one row.
//!
//! Owns the way from the path of a column (`status.conditions[Approved].status`) to a nested tree,
//! and the typing of a cell by the schema. Cells that are no field of the object get a synthetic key
//! `x-` and the column's name in small letters: `x-age`, `x-status`, `x-ready`, `x-last-seen`.
//! Invariant: every span below the root lies inside the row.

use super::table_line::Cell;
use crate::grammar::kind::{CellForm, Column, ColumnStep, KindSpec, find_resource, parse_steps};
use crate::grammar::schema::{Schema, Type};
use crate::source::Span;
use crate::syntax::text_view::TextView;
use crate::syntax::tree::{Entries, Entry, Fidelity, Node, Style, Value};

/// A row's tree while it grows.
pub(super) struct RowTree<'v, 's> {
    view: &'v TextView<'s>,
    spec: Option<&'static KindSpec>,
    root: Node,
}

impl<'v, 's> RowTree<'v, 's> {
    pub(super) fn new(view: &'v TextView<'s>, spec: Option<&'static KindSpec>, row: Span) -> Self {
        Self { view, spec, root: Node::new(row, Value::Map(Entries::default())) }
    }

    pub(super) fn finish(self) -> Node {
        self.root
    }

    /// Puts a text at a path.
    pub(super) fn put_text(&mut self, path: &str, text: &str, span: Span, fidelity: Fidelity) {
        let node = Node::new(span, Value::String(text.into())).with_fidelity(fidelity);
        self.put(path, node);
    }

    /// Puts a cell where its column says, or under a synthetic key.
    pub(super) fn put_cell(&mut self, name: &str, column: Option<&Column>, cell: &Cell) {
        if name == "LABELS" {
            self.parse_labels(cell);
            return;
        }
        let fields = column.filter(|column| !column.path.is_empty());
        match fields.map(|column| (column, &column.form)) {
            Some((column, CellForm::Value)) if !is_nothing(&cell.text) => {
                let node = self.scalar(cell, &cell.text, &column.path);
                self.put(&column.path, node);
            }
            Some((_, CellForm::Value)) => {}
            Some((column, CellForm::Ratio(of))) => self.parse_ratio(cell, &column.path, of),
            Some((column, CellForm::Object)) => self.parse_reference(cell, &column.path),
            Some((_, CellForm::Age | CellForm::Composed)) | None => {
                let key = synthetic_key(name);
                let node = self.text_node(cell, &cell.text);
                self.put(&key, node);
            }
        }
    }

    fn parse_ratio(&mut self, cell: &Cell, path: &str, of: &str) {
        let Some((have, want)) = cell.text.split_once('/') else { return };
        let start = cell.range.start;
        let slash = start + have.len();
        let parts = [(path, have, start..slash), (of, want, slash + 1..cell.range.end)];
        for (path, text, range) in parts {
            let part = Cell { text: text.to_owned(), range, verbatim: cell.verbatim };
            let node = self.scalar(&part, text, path);
            self.put(path, node);
        }
    }

    fn parse_reference(&mut self, cell: &Cell, path: &str) {
        let Some((resource, name)) = cell.text.split_once('/') else { return };
        let slash = cell.range.start + resource.len();
        let kind = find_resource(resource).map_or(resource, |spec| spec.name);
        let span = self.view.span(cell.range.start..slash);
        let mut node = Node::new(span, Value::String(kind.into()));
        node.style = if kind == resource { Style::Plain } else { Style::Encoded };
        self.put(&format!("{path}.kind"), node);
        let span = self.view.span(slash + 1..cell.range.end);
        self.put_text(&format!("{path}.name"), name, span, Fidelity::Read);
    }

    fn parse_labels(&mut self, cell: &Cell) {
        let mut at = cell.range.start;
        for pair in cell.text.split(',') {
            if let Some((key, value)) = pair.split_once('=').filter(|_| cell.verbatim) {
                let key_span = self.view.span(at..at + key.len());
                let value_span = self.view.span(at + key.len() + 1..at + pair.len());
                let node = Node::new(value_span, Value::String(value.into()));
                let steps = [ColumnStep::Field("metadata"), ColumnStep::Field("labels")];
                let labels = descend(&mut self.root, &steps, None, value_span);
                if let Value::Map(entries) = &mut labels.value {
                    entries.push(Entry { key: key.into(), key_span, node });
                }
            }
            at += pair.len() + 1;
        }
    }

    fn text_node(&self, cell: &Cell, text: &str) -> Node {
        let cut = text.ends_with("...") || text.ends_with('…');
        Node {
            style: if cell.verbatim { Style::Plain } else { Style::Encoded },
            fidelity: if cut { Fidelity::Cut } else { Fidelity::Read },
            ..Node::new(self.view.span(cell.range.clone()), Value::String(text.into()))
        }
    }

    /// Types a cell by the schema of the field it shows.
    fn scalar(&self, cell: &Cell, text: &str, path: &str) -> Node {
        let mut node = self.text_node(cell, text);
        let schema = self.spec.and_then(|spec| schema_at(spec.schema(), &parse_steps(path)));
        match schema.map(|schema| &schema.ty) {
            Some(Type::Integer) => {
                if let Ok(number) = text.parse() {
                    node.value = Value::Int(number);
                }
            }
            Some(Type::Boolean) => {
                if let Ok(truth) = text.parse() {
                    node.value = Value::Bool(truth);
                }
            }
            _ => {}
        }
        node
    }

    fn put(&mut self, path: &str, node: Node) {
        let steps = parse_steps(path);
        let Some((ColumnStep::Field(key), above)) = steps.split_last() else { return };
        let span = node.span;
        let parent = descend(&mut self.root, above, self.spec.map(|spec| spec.schema()), span);
        if let Value::Map(entries) = &mut parent.value
            && !entries.iter().any(|entry| &*entry.key == *key)
        {
            entries.push(Entry { key: (*key).into(), key_span: span, node });
        }
    }
}

/// Says whether a cell shows that its field is not set.
fn is_nothing(text: &str) -> bool {
    matches!(text, "<none>" | "<unknown>" | "<invalid>" | "<unset>" | "<nil>")
}

fn synthetic_key(name: &str) -> String {
    let lower = name.trim_end_matches(['.', '…']).to_ascii_lowercase();
    // A dot or a bracket would be read as a step of a path.
    format!("x-{}", lower.replace([' ', '.', '[', ']'], "-"))
}

/// Walks down, making what is not there yet, and widens every span on the way to cover `span`.
fn descend<'n>(
    node: &'n mut Node,
    steps: &[ColumnStep<'_>],
    schema: Option<&'static Schema>,
    span: Span,
) -> &'n mut Node {
    node.span = node.span.to(span);
    let Some((step, rest)) = steps.split_first() else { return node };
    let below = schema.and_then(|schema| schema_step(schema, *step));
    let in_list = matches!(schema.map(|schema| &schema.ty), Some(Type::List(_)));
    let child = match step {
        ColumnStep::Item(key) if in_list => item(node, key, below, span),
        ColumnStep::Field(key) | ColumnStep::Item(key) => entry(node, key, below, span),
    };
    descend(child, rest, below, span)
}

fn entry<'n>(node: &'n mut Node, key: &str, schema: Option<&Schema>, span: Span) -> &'n mut Node {
    if !matches!(node.value, Value::Map(_)) {
        node.value = Value::Map(Entries::default());
    }
    let Value::Map(entries) = &mut node.value else { unreachable!("it was made a map") };
    let index = entries.iter().position(|entry| &*entry.key == key).unwrap_or_else(|| {
        let list = matches!(schema.map(|schema| &schema.ty), Some(Type::List(_)));
        let value = if list { Value::List(Vec::new()) } else { Value::Map(Entries::default()) };
        entries.push(Entry {
            key: key.into(),
            key_span: span.start(),
            node: Node::new(span, value),
        });
        entries.len() - 1
    });
    &mut entries.get_mut(index).expect("the index was just found").node
}

/// Finds or makes the item of a list that its natural key names.
fn item<'n>(node: &'n mut Node, key: &str, schema: Option<&Schema>, span: Span) -> &'n mut Node {
    if !matches!(node.value, Value::List(_)) {
        node.value = Value::List(Vec::new());
    }
    let natural = schema.and_then(|schema| schema.key.first()).map_or("type", |key| key);
    let Value::List(items) = &mut node.value else { unreachable!("it was made a list") };
    let is_it = |item: &Node| item.get(natural).and_then(Node::as_str) == Some(key);
    let index = items.iter().position(is_it).unwrap_or_else(|| {
        let name = Node::new(span.start(), Value::String(key.into()));
        let name = Node { style: Style::Encoded, fidelity: Fidelity::Inferred, ..name };
        let entry = Entry { key: natural.into(), key_span: span.start(), node: name };
        items.push(Node::new(span, Value::Map(vec![entry].into())));
        items.len() - 1
    });
    items.get_mut(index).expect("the index was just found")
}

fn schema_step(schema: &'static Schema, step: ColumnStep<'_>) -> Option<&'static Schema> {
    match (step, &schema.ty) {
        (ColumnStep::Field(key), Type::Object(_)) => schema.field(key).map(|field| &field.schema),
        (ColumnStep::Item(_), Type::List(item)) => Some(item),
        (_, Type::Map(value)) => Some(value),
        _ => None,
    }
}

fn schema_at(schema: &'static Schema, steps: &[ColumnStep<'_>]) -> Option<&'static Schema> {
    steps.iter().try_fold(schema, |schema, step| schema_step(schema, *step))
}
