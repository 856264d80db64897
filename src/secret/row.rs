//! A line of YAML or describe text as far as its indentation, key and value go.

use std::ops::Range;

use super::line_prefix::LinePrefix;

/// A line, taken apart without asking whether its document can be parsed.
#[derive(Clone, Debug)]
pub(super) struct KeyedLine<'t> {
    /// The line in the text, without its line break.
    pub(super) line: Range<usize>,
    /// The column of the key, or of the text, behind the margin and the dashes of list items.
    pub(super) column: usize,
    /// Where that text begins.
    pub(super) start: usize,
    /// The column of the first dash.
    pub(super) dash: Option<usize>,
    /// The key; empty if the line has none.
    pub(super) key: &'t str,
    /// Where the value stands, or the whole text of a line without a key.
    pub(super) value: Range<usize>,
    margin: LinePrefix,
}

impl<'t> KeyedLine<'t> {
    /// Takes the line that holds `at` apart, behind its margin.
    pub(super) fn at(text: &'t str, at: usize, margin: LinePrefix) -> Self {
        let bytes = text.as_bytes();
        let at = at.min(bytes.len());
        let before = bytes.get(..at).unwrap_or_default();
        let start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
        let after = bytes.get(at..).unwrap_or_default();
        let end = memchr::memchr(b'\n', after).map_or(bytes.len(), |found| at + found);
        let end = if end > start && bytes.get(end - 1) == Some(&b'\r') { end - 1 } else { end };
        let left = start + margin.width(bytes.get(start..end).unwrap_or_default());
        let mut here = left;
        let mut dash = None;
        loop {
            // A quoted mail has `> ` before its lines.
            while here < end
                && matches!(bytes.get(here), Some(b' ' | b'\t' | b'>' | b'|' | b'\xc2' | b'\xa0'))
            {
                here += 1;
            }
            let item = bytes.get(here) == Some(&b'-')
                && here < end
                && matches!(bytes.get(here + 1), Some(b' ' | b'\n' | b'\r') | None);
            if !item {
                break;
            }
            dash = dash.or(Some(here - left));
            here += 1;
        }
        let here = here.min(end);
        let content = text.get(here..end).unwrap_or_default();
        let (key, value) = match split_key(content) {
            Some((key, value)) => (key, here + value..end),
            None => ("", here..end),
        };
        let shown = text.get(value.clone()).unwrap_or_default();
        let value = value.start..value.start + shown.trim_end().len();
        Self { line: start..end, column: here - left, start: here, dash, key, value, margin }
    }

    /// Returns the row before, if there is one.
    pub(super) fn before(&self, text: &'t str) -> Option<Self> {
        self.line.start.checked_sub(1).map(|at| KeyedLine::at(text, at, self.margin))
    }

    /// Returns the row after, if there is one.
    pub(super) fn after(&self, text: &'t str) -> Option<Self> {
        let rest = text.as_bytes().get(self.line.end..)?;
        let next = self.line.end + memchr::memchr(b'\n', rest)? + 1;
        (next < text.len()).then(|| KeyedLine::at(text, next, self.margin))
    }

    /// Returns what stands before the text of its lines.
    pub(super) fn margin(&self) -> LinePrefix {
        self.margin
    }

    /// Says whether the line holds nothing.
    pub(super) fn is_blank(&self) -> bool {
        self.key.is_empty() && self.value.is_empty()
    }

    /// Says whether the line ends a document: `---`, a fence, a prompt.
    pub(super) fn is_border(&self, text: &str) -> bool {
        let line = text.get(self.line.clone()).unwrap_or_default();
        line.starts_with("---") || line.starts_with("```") || line.starts_with("$ ")
    }

    /// Says whether the key is this one, written as a field name or as a label of describe text.
    pub(super) fn is_key(&self, name: &str) -> bool {
        let letters = self.key.bytes().filter(u8::is_ascii_alphanumeric);
        letters.map(|c| c.to_ascii_lowercase()).eq(name.bytes())
    }

    /// Returns the value without quotes, and without what YAML allows around it: a tag, an anchor, a comment.
    pub(super) fn bare(&self, text: &'t str) -> &'t str {
        let mut value = text.get(self.value.clone()).unwrap_or_default();
        while let Some(("", _)) = value.split_once(['!', '&']) {
            value = value.split_once(' ').map_or("", |(_, rest)| rest.trim_start());
        }
        let value = value.split_once(" #").map_or(value, |(value, _)| value.trim_end());
        value.trim_end_matches(',').trim_matches(['"', '\''])
    }

    /// Says whether the value stands in the lines below: there is none here, or the sign of a block.
    pub(super) fn goes_on_below(&self, text: &str) -> bool {
        let value = text.get(self.value.clone()).unwrap_or_default();
        !self.key.is_empty() && (value.is_empty() || value.starts_with(['|', '>', '!', '&']))
    }
}

/// Splits `key: value`; returns the key and where the value starts.
fn split_key(content: &str) -> Option<(&str, usize)> {
    let colon = content
        .match_indices(':')
        .map(|(at, _)| at)
        .find(|&at| matches!(content.as_bytes().get(at + 1), None | Some(b' ' | b'\t')))?;
    let key = content.get(..colon)?.trim_matches(['"', '\'']);
    // Describe labels are a few words; a sentence with a colon is no key.
    let is_key = key.len() <= 253 && key.split(' ').count() <= 6 && !key.contains(['{', '[']);
    let rest = content.get(colon + 1..)?;
    let value = colon + 1 + (rest.len() - rest.trim_start().len());
    is_key.then_some((key, value))
}
