//! From lines to rows, from rows to cells.
//!
//! Owns the joining of wrapped rows and the slicing of a row at the offsets of its header, with the
//! fallbacks for rows that somebody edited.
//! Invariant: cells come in the order of the columns, one slot per column.

use super::header::{Header, Layout, cells};
use super::table_line::{Cell, TableLine};

/// Parses a row into one cell per column; an empty cell is `None`.
pub(super) fn parse_cells(header: &Header, row: &TableLine) -> Vec<Option<Cell>> {
    match header.layout {
        Layout::Aligned => slice_aligned(header, row),
        Layout::Tabs => split_at(header, row, |character| character == '\t'),
        Layout::Collapsed => spread(header, words(row)),
        Layout::Headless => spread(header, fields(row)),
    }
}

fn slice_aligned(header: &Header, row: &TableLine) -> Vec<Option<Cell>> {
    let starts: Vec<usize> = header.columns.iter().map(|(_, start)| *start).collect();
    let straddled = |&start: &usize| start > 0 && row.is_filled(start) && row.is_filled(start - 1);
    if !starts.iter().any(straddled) {
        return cut_at(row, &starts);
    }
    let fields = fields(row);
    if fields.len() == starts.len() {
        return fields.into_iter().map(Some).collect();
    }
    // The name is longer than its column, and all that follows moved to the right with it.
    let width = fields.first().map_or(0, |name| name.text.chars().count());
    let second = starts.get(1).copied().unwrap_or(0);
    let shift = (width + 3).saturating_sub(second);
    let moved = |(at, start): (usize, &usize)| if at == 0 { *start } else { start + shift };
    cut_at(row, &starts.iter().enumerate().map(moved).collect::<Vec<_>>())
}

fn cut_at(row: &TableLine, starts: &[usize]) -> Vec<Option<Cell>> {
    let ends = starts.iter().skip(1).copied().chain([usize::MAX]);
    starts.iter().zip(ends).map(|(&start, end)| row.cell(start..end)).collect()
}

fn split_at(header: &Header, row: &TableLine, splits: impl Fn(char) -> bool) -> Vec<Option<Cell>> {
    let mut starts = vec![0];
    starts.extend(row.chars().enumerate().filter(|(_, at)| splits(*at)).map(|(at, _)| at + 1));
    let mut cells = cut_at(row, &starts);
    cells.resize(header.columns.len(), None);
    cells
}

/// Puts cells into columns when there may be fewer cells than columns.
///
/// The first ones name the object and the age is always shown; what lies between cannot be told.
fn spread(header: &Header, cells: Vec<Cell>) -> Vec<Option<Cell>> {
    let count = header.columns.len();
    if cells.len() == count {
        return cells.into_iter().map(Some).collect();
    }
    let named = header.find("NAME").unwrap_or(0);
    let age = header.find("AGE").filter(|age| age + 1 == count);
    let last = cells.len().saturating_sub(1);
    let mut slots = vec![None; count];
    for (at, cell) in cells.into_iter().enumerate() {
        let slot = if at <= named { Some(at) } else { age.filter(|_| at == last) };
        if let Some(slot) = slot.and_then(|slot| slots.get_mut(slot)) {
            *slot = Some(cell);
        }
    }
    slots
}

/// Says whether a row has fewer cells than its table has columns, so that it cannot be told which are empty.
pub(super) fn loses_cells(header: &Header, row: &TableLine) -> bool {
    header.layout == Layout::Collapsed && words(row).len() < header.columns.len()
}

fn fields(row: &TableLine) -> Vec<Cell> {
    let plain: String = row.chars().collect();
    let found = cells(&plain);
    found.iter().filter_map(|(text, at)| row.cell(*at..at + text.chars().count())).collect()
}

fn words(row: &TableLine) -> Vec<Cell> {
    let mut starts = Vec::new();
    let mut before = ' ';
    // `2 (7h16m ago)` is one cell.
    let mut in_brackets = false;
    for (at, character) in row.chars().enumerate() {
        in_brackets |= character == '(';
        if !character.is_whitespace() && before.is_whitespace() && !in_brackets {
            starts.push(at);
        }
        in_brackets &= character != ')';
        before = character;
    }
    cut_at(row, &starts).into_iter().flatten().collect()
}

/// A line of a table as it stands in the view.
#[derive(Clone, Copy, Debug)]
pub(super) struct RawLine<'v> {
    pub(super) text: &'v str,
    pub(super) offset: usize,
}

/// Joins the lines of a table into its head and its rows.
pub(super) fn join<'v>(lines: &[RawLine<'v>]) -> Option<(TableLine, Vec<TableLine>)> {
    let (first, rest) = lines.split_first()?;
    let wraps = 1 + rest.iter().take_while(|line| is_header_tail(line.text)).count();
    if wraps == 1 {
        let row = |line: &RawLine<'v>| TableLine::new(line.text, line.offset);
        return Some((row(first), rest.iter().map(row).collect()));
    }
    let width = lines.iter().map(|line| line.text.chars().count()).max().unwrap_or(0);
    let glue = |lines: &[RawLine<'v>]| {
        let mut text = TableLine::default();
        for (at, line) in lines.iter().enumerate() {
            text.pad(at * width);
            text.extend(line.text, line.offset);
        }
        text
    };
    let rows = lines.get(wraps..).unwrap_or_default();
    Some((glue(lines.get(..wraps)?), rows.chunks(wraps).map(glue).collect()))
}

/// Says whether a line is the end of a header that the terminal wrapped: capitals only.
fn is_header_tail(text: &str) -> bool {
    let mut words = text.split_whitespace().peekable();
    let capitals = |word: &str| {
        word.bytes().any(|byte| byte.is_ascii_uppercase())
            && word
                .bytes()
                .all(|byte| byte.is_ascii_uppercase() || matches!(byte, b'-' | b'(' | b')'))
    };
    words.peek().is_some_and(|first| *first != "NAME" && *first != "NAMESPACE")
        && words.all(capitals)
}
