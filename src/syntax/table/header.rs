//! The head of a table: names of columns and where they begin.
//!
//! Owns the three ways in which tables come: aligned as kubectl prints them, with tabs from a
//! spreadsheet, and with their blanks collapsed by a mail program or a wiki.
//! Invariant: columns are in order, and offsets count characters, as kubectl pads by characters.

use super::table_line::TableLine;

/// How the cells of a table are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// By the offsets of the columns.
    Aligned,
    /// By tabs.
    Tabs,
    /// By single blanks: empty cells are lost.
    Collapsed,
    /// Without a header, by two or more blanks: empty cells are lost.
    Headless,
}

/// The head of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) layout: Layout,
    /// Names of the columns with the offset of each.
    pub(super) columns: Vec<(String, usize)>,
}

impl Header {
    /// Returns the position of a column.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|(column, _)| column == name)
    }
}

/// Parses the head of a table.
pub(super) fn parse_header(text: &TableLine) -> Header {
    let plain: String = text.chars().collect();
    if plain.contains('\t') {
        let names = plain.split('\t').map(|name| (name.trim().to_owned(), 0));
        return Header { layout: Layout::Tabs, columns: names.collect() };
    }
    let columns = cells(&plain);
    if columns.len() > 1 {
        return Header { layout: Layout::Aligned, columns };
    }
    let mut names: Vec<(String, usize)> = Vec::new();
    for word in plain.split_whitespace() {
        // The only names of two words that kubectl prints for kinds of interest.
        let second = matches!(word, "SEEN" | "GATES")
            || (word == "NODE" && names.last().is_some_and(|(name, _)| name == "NOMINATED"));
        match names.last_mut().filter(|_| second) {
            Some((name, _)) => {
                name.push(' ');
                name.push_str(word);
            }
            None => names.push((word.to_owned(), 0)),
        }
    }
    Header { layout: Layout::Collapsed, columns: names }
}

/// Splits a line at two or more blanks into cells and their offsets in characters.
pub(super) fn cells(line: &str) -> Vec<(String, usize)> {
    let mut cells: Vec<(String, usize)> = Vec::new();
    let mut blanks = 2;
    for (at, character) in line.chars().enumerate() {
        if character == ' ' {
            blanks += 1;
            continue;
        }
        match cells.last_mut() {
            Some((cell, _)) if blanks < 2 => {
                if blanks == 1 {
                    cell.push(' ');
                }
                cell.push(character);
            }
            _ => cells.push((character.to_string(), at)),
        }
        blanks = 0;
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> (Layout, Vec<(String, usize)>) {
        let header = parse_header(&TableLine::new(line, 0));
        (header.layout, header.columns)
    }

    #[test]
    fn offsets_count_characters() {
        let (layout, columns) = parse("LAST SEEN   TYPE   OBJECT");
        assert_eq!(layout, Layout::Aligned);
        let want =
            [("LAST SEEN".to_owned(), 0), ("TYPE".to_owned(), 12), ("OBJECT".to_owned(), 19)];
        assert_eq!(columns, want);
    }

    #[test]
    fn tabs_and_single_blanks_are_understood() {
        assert_eq!(parse("NAME\tAGE").0, Layout::Tabs);
        let (layout, columns) = parse("NAME READY NOMINATED NODE AGE");
        assert_eq!(layout, Layout::Collapsed);
        let names: Vec<&str> = columns.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["NAME", "READY", "NOMINATED NODE", "AGE"]);
    }
}
