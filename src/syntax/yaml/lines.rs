//! The lines of a text with their indentation, as far as a look at canonical YAML needs them.

use std::ops::Range;

/// A line that is not blank.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'t> {
    /// Where its first byte stands.
    pub(super) start: usize,
    /// How many blanks it begins with.
    pub(super) indent: usize,
    /// The rest of it, without trailing blanks.
    pub(super) text: &'t str,
}

impl<'t> Line<'t> {
    /// Splits `key: value`; the value is empty for `key:`.
    pub(super) fn key_value(&self) -> Option<(&'t str, &'t str)> {
        match self.text.split_once(": ") {
            Some((key, value)) => Some((key, value.trim_start())),
            None => self.text.strip_suffix(':').map(|key| (key, "")),
        }
    }

    /// Says whether the line opens an item of a list.
    pub(super) fn is_item(&self) -> bool {
        self.text.starts_with("- ")
    }

    /// Returns what follows the dash of an item, as a line of its own.
    pub(super) fn behind_dash(&self) -> Self {
        let text = self.text.strip_prefix('-').unwrap_or(self.text);
        let rest = text.trim_start_matches(' ');
        Self { indent: self.indent + self.text.len() - rest.len(), text: rest, ..*self }
    }

    /// Returns the offset of the first byte behind the indentation.
    pub(super) fn content(&self) -> usize {
        self.start + self.indent
    }
}

/// The lines of a range of a text that are not blank.
pub(super) struct Lines<'t> {
    text: &'t str,
    at: usize,
    end: usize,
}

impl<'t> Lines<'t> {
    /// Starts at the beginning of a range.
    pub(super) fn new(text: &'t str, range: Range<usize>) -> Self {
        Self { text, at: range.start, end: range.end }
    }
}

impl<'t> Iterator for Lines<'t> {
    type Item = Line<'t>;

    fn next(&mut self) -> Option<Line<'t>> {
        loop {
            let rest = self.text.get(self.at..self.end).filter(|rest| !rest.is_empty())?;
            let length = memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
            let start = self.at;
            self.at += length + 1;
            let line = rest.get(..length)?;
            let indent = line.bytes().take_while(|&byte| byte == b' ').count();
            let text = line.get(indent..)?.trim_ascii_end();
            if !text.is_empty() {
                return Some(Line { start, indent, text });
            }
        }
    }
}
