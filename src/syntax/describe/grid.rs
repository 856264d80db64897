//! Tables inside describe text: events, conditions, quotas.
//!
//! Owns cutting a row into cells: by the columns at which the names in the table's head begin, so
//! that an empty cell stays one, else at gaps of two blanks, for rows that an editor has shifted.

use std::ops::Range;

use super::line::{DescribeLine, columns};

/// More columns than any table of kubectl has; a head with more is none.
const MAX_COLUMNS: usize = 16;

/// A table: its column names and the cells of each row, as ranges of the clean text.
#[derive(Clone, Debug, Default)]
pub(super) struct Grid<'t> {
    names: Vec<&'t str>,
    offsets: Vec<usize>,
}

impl<'t> Grid<'t> {
    /// Reads the names of the columns from the head of a table.
    pub(super) fn parse_columns(head: &DescribeLine<'t>) -> Self {
        let mut grid = Self::default();
        let mut at = head.body;
        while let Some(rest) = head.text.get(at..).filter(|rest| !rest.is_empty()) {
            if grid.names.len() == MAX_COLUMNS {
                return Self::default();
            }
            let name = rest.split("  ").next().unwrap_or(rest).trim_end();
            grid.names.push(name);
            grid.offsets.push(head.text.get(..at).map_or(0, columns));
            let after = rest.get(name.len()..).unwrap_or_default();
            at += name.len() + (after.len() - after.trim_start().len());
        }
        grid
    }

    /// Returns the names of the columns.
    pub(super) fn names(&self) -> &[&'t str] {
        &self.names
    }

    /// Cuts a row into cells; `None` if it does not belong to this table.
    pub(super) fn parse_row(&self, line: &DescribeLine<'_>) -> Option<Vec<Range<usize>>> {
        let cells = self.by_offset(line).or_else(|| self.by_gap(line))?;
        Some(cells.into_iter().map(|cell| line.at + cell.start..line.at + cell.end).collect())
    }

    fn by_offset(&self, line: &DescribeLine<'_>) -> Option<Vec<Range<usize>>> {
        let text = line.text.trim_end();
        let starts: Vec<usize> = self.offsets.iter().map(|&column| byte_at(text, column)).collect();
        let mut cells = Vec::new();
        for (number, &start) in starts.iter().enumerate() {
            let end = starts.get(number + 1).copied().unwrap_or(text.len());
            let (before, cell) = (text.get(..start)?, text.get(start..end)?);
            let apart = number == 0 || before.ends_with("  ") || start == text.len();
            if !apart || cell.starts_with(' ') && !cell.trim().is_empty() {
                return None;
            }
            cells.push(start..start + cell.trim_end().len());
        }
        cells.first().filter(|first| first.start == line.body && !first.is_empty())?;
        Some(cells)
    }

    /// Cuts at gaps of two blanks or more; the last cell keeps its gaps.
    fn by_gap(&self, line: &DescribeLine<'_>) -> Option<Vec<Range<usize>>> {
        let text = line.text.trim_end();
        let mut cells = Vec::new();
        let mut start = line.body;
        while cells.len() + 1 < self.names.len() {
            let rest = text.get(start..)?;
            let gap = rest.find("  ")?;
            cells.push(start..start + gap);
            let after = rest.get(gap..)?;
            start += gap + (after.len() - after.trim_start_matches(' ').len());
        }
        cells.push(start..text.len());
        Some(cells)
    }
}

/// Says whether a line is the dashes below the head of a table.
pub(super) fn is_rule(line: &DescribeLine<'_>) -> bool {
    let content = line.content();
    content.starts_with("--") && content.bytes().all(|byte| matches!(byte, b'-' | b' '))
}

fn byte_at(text: &str, column: usize) -> usize {
    text.char_indices().nth(column).map_or(text.len(), |(at, _)| at)
}
