//! The lines of a text with their indentation.
//!
//! Owns what a look at YAML needs to know of a line: where it stands, how deep, whether it opens an
//! item or a key. It does not know quotes, comments or blocks; who uses it must rule those out.
//! Invariant: blank lines are never seen, and offsets count in the whole text.

use std::ops::Range;

use crate::syntax::blanks::count_blanks;
use crate::syntax::shallow_lines::shallow_lines;

/// A line that is not blank.
#[derive(Clone, Copy, Debug)]
pub(super) struct YamlLine<'t> {
    /// Where its first byte stands.
    pub(super) start: usize,
    /// How many blanks it begins with.
    pub(super) indent: usize,
    /// The rest of it, without trailing blanks.
    pub(super) text: &'t str,
}

impl<'t> YamlLine<'t> {
    /// Splits `key: value` at the first colon that ends a key; the value is empty for `key:`.
    pub(super) fn key_value(&self) -> Option<(&'t str, &'t str)> {
        let bytes = self.text.as_bytes();
        let colon = memchr::memchr_iter(b':', bytes)
            .find(|colon| matches!(bytes.get(colon + 1), None | Some(b' ')))?;
        let value = bytes.get(colon + 1..)?;
        let blanks = value.iter().take_while(|&&byte| byte == b' ').count();
        Some((self.text.get(..colon)?, self.text.get(colon + 1 + blanks..)?))
    }

    /// Says whether the line begins a document.
    pub(super) fn is_marker(&self) -> bool {
        self.indent == 0 && self.text == "---"
    }

    /// Says whether the line opens an item of a list.
    pub(super) fn is_item(&self) -> bool {
        self.text.starts_with("- ")
    }

    /// Says whether a later line belongs to the entry or item that this one begins.
    pub(super) fn holds(&self, later: &YamlLine<'_>) -> bool {
        let listed = later.is_item() && !self.is_item();
        later.indent > self.indent || later.indent == self.indent && listed
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

/// Where the lines of a text begin that are indented by less than two blanks: few of a dump are.
pub(super) struct Margin(Vec<usize>);

impl Margin {
    /// Finds them in one pass over a text.
    pub(super) fn of(text: &str) -> Self {
        Self(shallow_lines(text).collect())
    }

    /// Returns those in a range.
    pub(super) fn within(&self, range: Range<usize>) -> &[usize] {
        let at = |offset: usize| self.0.partition_point(|&start| start < offset);
        self.0.get(at(range.start)..at(range.end).max(at(range.start))).unwrap_or_default()
    }

    /// Returns those in a range that begin with some text.
    pub(super) fn that_begin<'m>(
        &'m self,
        text: &'m str,
        range: Range<usize>,
        with: &'m str,
    ) -> impl Iterator<Item = usize> + 'm {
        let begins = move |&start: &usize| {
            text.as_bytes().get(start..).is_some_and(|line| line.starts_with(with.as_bytes()))
        };
        self.within(range).iter().copied().filter(begins)
    }
}

/// The lines of a range of a text that are not blank.
#[derive(Clone)]
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

    /// Passes over all lines that begin with at least `indent` blanks.
    pub(super) fn skip_deeper(&mut self, indent: usize) {
        let bytes = self.text.as_bytes();
        let deeper = |at: usize| {
            let margin = bytes.get(at..at + indent).filter(|_| at + indent <= self.end);
            margin.is_some_and(|margin| margin.iter().all(|&byte| byte == b' '))
        };
        while deeper(self.at) {
            let rest = bytes.get(self.at..self.end).unwrap_or_default();
            self.at += memchr::memchr(b'\n', rest).map_or(rest.len(), |length| length + 1);
        }
    }
}

impl Lines<'_> {
    /// Passes over all lines that begin with at least two blanks.
    pub(super) fn skip_to(&mut self, margin: &Margin) {
        let next = margin.within(self.at..self.end).first();
        self.at = next.copied().unwrap_or(self.end.max(self.at));
    }
}

impl<'t> Iterator for Lines<'t> {
    type Item = YamlLine<'t>;

    fn next(&mut self) -> Option<YamlLine<'t>> {
        loop {
            let rest = self.text.as_bytes().get(self.at..self.end)?;
            if rest.is_empty() {
                return None;
            }
            let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            let start = self.at;
            self.at += length + 1;
            let line = rest.get(..length)?;
            let indent = count_blanks(line);
            let length = line.get(indent..)?.trim_ascii_end().len();
            if length > 0 {
                let text = self.text.get(start + indent..start + indent + length)?;
                return Some(YamlLine { start, indent, text });
            }
        }
    }
}
