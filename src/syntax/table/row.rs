//! One row: its head, its tree, and whether it is a row at all.
//!
//! Owns the meaning of the columns that any table may have (`NAME`, `NAMESPACE`, `AGE`); the others
//! are placed by [`super::row_tree`].
//! Invariant: a name that was cut (`web-rollo...`) never becomes the name of an object.

use std::sync::Arc;

use smol_str::SmolStr;

use super::header::Header;
use super::row_tree::RowTree;
use super::rows::parse_cells;
use super::table_kind::{TableKind, find_column};
use super::table_line::{Cell, TableLine};
use crate::grammar::kind::{Kind, KindSpec, Scope, find_resource};
use crate::source::Span;
use crate::syntax::flatten_lists::document;
use crate::syntax::text_view::TextView;
use crate::syntax::tree::{Fidelity, Style, Value};
use crate::syntax::{Context, Document, DocumentHead, Syntax};

/// Reads the rows of one table.
pub(super) struct RowReader<'v, 's> {
    pub(super) view: &'v TextView<'s>,
    pub(super) context: &'v Context,
    pub(super) header: &'v Header,
    pub(super) owner: Option<TableKind>,
}

impl RowReader<'_, '_> {
    /// Parses a row; `None` if the line is none.
    pub(super) fn parse_row(&self, row: &TableLine) -> Option<Document> {
        let cells = parse_cells(self.header, row);
        if !self.is_row(&cells) {
            return None;
        }
        let whole = row.cell(0..usize::MAX)?;
        let span = self.view.span(whole.range);
        let name = self.cell(&cells, "NAME");
        let told = name
            .and_then(|name| name.text.split_once('/'))
            .and_then(|(kind, _)| find_resource(kind));
        let spec = told.or(self.owner.map(|owner| owner.spec));
        let mut place = RowTree::new(self.view, spec, span);
        if let Some(spec) = spec {
            let guessed = self.owner.map_or(Fidelity::Read, |owner| owner.fidelity);
            let fidelity = if told.is_some() { Fidelity::Read } else { guessed };
            place.put_text("kind", spec.name, span.start(), fidelity);
        }
        let head = DocumentHead {
            api_version: None,
            kind: spec.map(|spec| spec.name.into()),
            namespace: self.put_namespace(&cells, spec, &mut place),
            name: name.and_then(|name| self.put_name(name, &mut place)),
        };
        for ((name, _), cell) in self.header.columns.iter().zip(&cells) {
            if let Some(cell) = cell.as_ref().filter(|_| name != "NAME" && name != "NAMESPACE") {
                place.put_cell(name, spec.and_then(|spec| find_column(spec, name)), cell);
            }
        }
        Some(self.document(span, head, place))
    }

    fn cell<'c>(&self, cells: &'c [Option<Cell>], name: &str) -> Option<&'c Cell> {
        self.header.find(name).and_then(|at| cells.get(at)).and_then(Option::as_ref)
    }

    fn is_row(&self, cells: &[Option<Cell>]) -> bool {
        if self.owner.is_some_and(|owner| owner.spec.family == Kind::Event) {
            let cell = |name| self.cell(cells, name).map_or("", |cell| cell.text.as_str());
            let seen = cell("LAST SEEN").starts_with(|at: char| at.is_ascii_digit() || at == '<');
            return seen && cell("OBJECT").contains('/');
        }
        // The age is always shown: a word alone in its line is prose, or the tail of a row.
        let alone = cells.iter().flatten().count() < 2;
        if alone && self.header.find("AGE").is_some() {
            return false;
        }
        self.cell(cells, "NAME").is_some_and(|name| is_name(name_of(name)))
    }

    fn put_name(&self, cell: &Cell, place: &mut RowTree<'_, '_>) -> Option<SmolStr> {
        let name = name_of(cell);
        let lo = if cell.verbatim { cell.range.end - name.len() } else { cell.range.start };
        let span = self.view.span(lo..cell.range.end);
        let cut = name.ends_with("...") || name.ends_with('…');
        let fidelity = if cut { Fidelity::Cut } else { Fidelity::Read };
        place.put_text("metadata.name", name, span, fidelity);
        (!cut).then(|| name.into())
    }

    fn put_namespace(
        &self,
        cells: &[Option<Cell>],
        spec: Option<&KindSpec>,
        place: &mut RowTree<'_, '_>,
    ) -> Option<SmolStr> {
        let namespaced = spec.is_none_or(|spec| spec.scope == Scope::Namespaced);
        let Some(cell) = self.cell(cells, "NAMESPACE") else {
            return self.context.namespace.clone().filter(|_| namespaced);
        };
        let span = self.view.span(cell.range.clone());
        place.put_text("metadata.namespace", &cell.text, span, Fidelity::Read);
        Some(cell.text.as_str().into())
    }

    fn document(&self, span: Span, head: DocumentHead, place: RowTree<'_, '_>) -> Document {
        let (context, root) = (self.context.clone(), Some(Arc::new(place.finish())));
        Document { head, context, root, partial: true, ..document(span, Syntax::Table) }
    }

    /// Appends a line to the message of the event above, from which it was wrapped.
    pub(super) fn append(&self, above: &mut Document, row: &TableLine) {
        let last = self.header.columns.last().map(|(name, _)| name.as_str());
        let Some(cell) = row.cell(0..usize::MAX).filter(|_| last == Some("MESSAGE")) else {
            return;
        };
        let Some(root) = above.root.as_mut().map(Arc::make_mut) else { return };
        let span = self.view.span(cell.range);
        let Value::Map(entries) = &mut root.value else { return };
        let Some(entry) = entries.iter_mut().find(|entry| &*entry.key == "message") else { return };
        if let Value::String(text) = &mut entry.node.value {
            *text = format!("{text} {}", cell.text).into();
            entry.node.style = Style::Encoded;
            entry.node.span = entry.node.span.to(span);
            root.span = root.span.to(span);
            above.span = above.span.to(span);
        }
    }
}

/// Returns a name without the kind that `--show-kind` and tables of several kinds put before it.
fn name_of(cell: &Cell) -> &str {
    cell.text.split_once('/').map_or(cell.text.as_str(), |(_, name)| name)
}

fn is_name(text: &str) -> bool {
    let cut = text.trim_end_matches(['.', '…']);
    let plain = |at: char| at.is_ascii_alphanumeric() || matches!(at, '-' | '.' | '_' | ':');
    cut.starts_with(|at: char| at.is_ascii_alphanumeric()) && cut.chars().all(plain)
}
