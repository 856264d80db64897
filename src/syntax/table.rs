//! `kubectl get` tables to trees: one [`Document`] per row.
//!
//! Owns the finding of tables in a text, the kind of their rows and the tree of each row; the shape
//! of a table is in `grammar/table.ebnf`. A row shows few fields, so every document is partial, and
//! what is no field (`AGE`, the `STATUS` of a pod) stands under a key with `x-` in front.
//! Invariant: the span of a value is its cell; a line that is no row yields nothing.

mod header;
mod row;
mod row_tree;
mod rows;
mod table_kind;
mod table_line;

use header::{Header, Layout, cells, parse_header};
use row::RowReader;
use rows::{RawLine, join, loses_cells};
use table_kind::find_owner;
use table_line::TableLine;

use super::text_view::TextView;
use super::transcript::shape;
use super::tree_builder::problem;
use super::{Context, Document, ProblemKind};
use crate::grammar::kind::{Scope, find_kind};

/// Parses the tables in a text into one document per row.
pub fn parse_table(view: &TextView<'_>, context: &Context) -> Vec<Document> {
    let mut documents = Vec::new();
    for lines in tables(view.text()) {
        let first = documents.len();
        read_table(view, context, &lines, &mut documents);
        let rows = documents.get_mut(first..).unwrap_or_default();
        // Without a command, a single row may be all that was asked for.
        let listed = context.name.is_none() && (context.command.is_some() || rows.len() > 1);
        rows.iter_mut().for_each(|row| row.listed = listed);
    }
    documents
}

/// Parses names as `kubectl get -o name` prints them, one per line.
pub fn parse_names(view: &TextView<'_>, context: &Context) -> Vec<Document> {
    let header = Header { layout: Layout::Headless, columns: vec![("NAME".to_owned(), 0)] };
    let lines = raw_lines(view.text());
    let rows = lines.iter().filter(|line| line.text.contains('/'));
    rows.filter_map(|line| {
        RowReader { view, context, header: &header, owner: None }
            .parse_row(&TableLine::new(line.text, line.offset))
    })
    .collect()
}

fn raw_lines(text: &str) -> Vec<RawLine<'_>> {
    let mut offset = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let body = text.get(offset..).unwrap_or_default();
    let mut lines = Vec::new();
    for line in body.split_inclusive('\n') {
        lines.push(RawLine { text: line.trim_end_matches(['\n', '\r']), offset });
        offset += line.len();
    }
    lines
}

/// Groups lines into tables: each begins with its header and ends before a blank line.
fn tables(text: &str) -> Vec<Vec<RawLine<'_>>> {
    let mut tables: Vec<Vec<RawLine<'_>>> = Vec::new();
    let mut open = false;
    for line in raw_lines(text) {
        let blank = line.text.trim().is_empty();
        if shape::is_table_header(line.text) || (!open && !blank) {
            tables.push(Vec::new());
        }
        open = !blank;
        if let Some(table) = tables.last_mut().filter(|_| open) {
            table.push(line);
        }
    }
    tables
}

fn read_table(
    view: &TextView<'_>,
    context: &Context,
    lines: &[RawLine<'_>],
    out: &mut Vec<Document>,
) {
    let Some((head, mut rows)) = join(lines) else { return };
    let headed = lines.first().is_some_and(|line| shape::is_table_header(line.text));
    let header = if headed {
        parse_header(&head)
    } else {
        rows.insert(0, head);
        let fields = rows.first().map_or(0, |row| cells(&row.chars().collect::<String>()).len());
        let Some(header) = headless(context, fields) else { return };
        header
    };
    let owner = find_owner(&header, context);
    let reader = RowReader { view, context, header: &header, owner };
    let mut last: Option<(usize, usize)> = None;
    let mut damaged = false;
    for row in rows {
        match reader.parse_row(&row) {
            Some(mut document) => {
                if !damaged && loses_cells(&header, &row) {
                    damaged = true;
                    document.problems.push(problem(
                        ProblemKind::LostColumns,
                        document.span,
                        "the blanks between the columns of this table were lost: only the name and the age can be read"
                            .to_owned(),
                    ));
                }
                last = Some((out.len(), row.len()));
                out.push(document);
            }
            None => {
                if let Some((index, _)) = last.filter(|(_, len)| *len >= head_width(&header)) {
                    out.get_mut(index).into_iter().for_each(|above| reader.append(above, &row));
                }
            }
        }
    }
}

/// Returns the offset of the last column: a row that reaches it may go on below.
fn head_width(header: &Header) -> usize {
    header.columns.last().map_or(0, |(_, start)| *start)
}

/// Returns the columns that a command without headers shows in rows of so many fields.
fn headless(context: &Context, fields: usize) -> Option<Header> {
    let spec = find_kind(context.kind.as_deref()?)?;
    let shown = spec.columns().iter().filter(|column| !column.wide && !column.old);
    let mut columns: Vec<(String, usize)> =
        shown.map(|column| (column.name.to_string(), 0)).collect();
    let everywhere = spec.scope == Scope::Namespaced && context.namespace.is_none();
    if everywhere && fields == columns.len() + 1 {
        columns.insert(0, ("NAMESPACE".to_owned(), 0));
    }
    Some(Header { layout: Layout::Headless, columns })
}

#[cfg(test)]
mod tests;
