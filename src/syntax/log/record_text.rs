//! The text of one record as its process wrote it, with the way back to the file.
//!
//! Transports wrap every line, runtimes split lines, docker escapes them. [`JoinedText`] undoes that for
//! the few records that are opened, and remembers for each piece where it stands.
//! Invariant: a range of the logical text leads to a range of the file on character borders.

use std::borrow::Cow;
use std::ops::Range;

use super::transport::{Payload, Stripped, strip};

/// A run of the logical text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    /// Where it starts in the logical text, and how long it is there.
    at: usize,
    len: usize,
    /// Where it stands in the file.
    from: usize,
    to: usize,
}

/// The text of a record, lines joined with `\n`.
#[derive(Clone, Debug)]
pub(crate) struct JoinedText<'t> {
    text: Cow<'t, str>,
    pieces: Vec<Piece>,
    stamp: Option<&'t str>,
    /// Where the first logical line ends.
    first_end: usize,
}

impl<'t> JoinedText<'t> {
    /// Puts a record together from runs of whole lines of `text`.
    pub(crate) fn new(text: &'t str, parts: &[Range<u32>]) -> Self {
        let mut lines = parts.iter().flat_map(|part| lines_of(text, part.clone()));
        let Some((first_at, first)) = lines.next() else {
            return Self { text: Cow::Borrowed(""), pieces: Vec::new(), stamp: None, first_end: 0 };
        };
        let head = strip(first);
        let mut rest = lines.peekable();
        if let (Payload::Plain(plain, at), None) = (head.payload, rest.peek()) {
            let from = first_at + at;
            let piece = Piece { at: 0, len: plain.len(), from, to: from + plain.len() };
            let (text, pieces) = (Cow::Borrowed(plain), vec![piece]);
            return Self { text, pieces, stamp: head.stamp, first_end: plain.len() };
        }
        let (text, pieces) = (Cow::Owned(String::new()), Vec::new());
        let mut out = Self { text, pieces, stamp: head.stamp, first_end: 0 };
        let mut is_partial = out.push(first_at, &head);
        for (at, line) in rest {
            let stripped = strip_further(line, head.lead);
            if !is_partial {
                // The break is one of the file's, wherever the next line stands.
                out.push_piece("\n", at.saturating_sub(1), 1);
            }
            is_partial = out.push(at, &stripped);
        }
        let text = out.text.as_bytes();
        out.first_end = memchr::memchr(b'\n', text).unwrap_or(text.len());
        out
    }

    /// Appends a line of the file; says whether it goes on in the next one.
    fn push(&mut self, line_at: usize, stripped: &Stripped<'_>) -> bool {
        stripped.payload.for_each_piece(|text, at, len| self.push_piece(text, line_at + at, len));
        stripped.is_partial
    }

    fn push_piece(&mut self, text: &str, from: usize, len: usize) {
        let at = self.text.len();
        self.pieces.push(Piece { at, len: text.len(), from, to: from + len });
        self.text.to_mut().push_str(text);
    }

    /// Returns the logical text.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the first logical line.
    pub(crate) fn first_line(&self) -> &str {
        self.text.get(..self.first_end).unwrap_or_default()
    }

    /// Returns the transport's timestamp.
    pub(crate) fn stamp(&self) -> Option<&'t str> {
        self.stamp
    }

    /// Returns where a range of the logical text stands in the file.
    ///
    /// A range over several pieces covers what the transport put between them.
    pub(crate) fn locate(&self, range: Range<usize>) -> Range<u32> {
        let start = self.piece_at(range.start).map_or(0, |piece| piece.start_of(range.start));
        let end = match range.end.checked_sub(1).filter(|last| *last >= range.start) {
            Some(last) => self.piece_at(last).map_or(start, |piece| piece.end_of(range.end)),
            None => start,
        };
        let clamp = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        clamp(start)..clamp(end.max(start))
    }

    fn piece_at(&self, at: usize) -> Option<&Piece> {
        let after = self.pieces.partition_point(|piece| piece.at <= at);
        self.pieces.get(after.saturating_sub(1))
    }
}

impl Piece {
    /// An escape is as long as it is in the file: its inside cannot be pointed to.
    fn is_escape(&self) -> bool {
        self.to - self.from != self.len
    }

    fn start_of(&self, at: usize) -> usize {
        if self.is_escape() { self.from } else { (self.from + (at - self.at)).min(self.to) }
    }

    fn end_of(&self, end: usize) -> usize {
        if self.is_escape() { self.to } else { (self.from + (end - self.at)).min(self.to) }
    }
}

/// Strips a further line of a record, whose first line had `lead` in front of it.
fn strip_further<'l>(line: &'l str, lead: &str) -> Stripped<'l> {
    let mut stripped = strip(line);
    if lead.is_empty() || !stripped.lead.is_empty() {
        return stripped;
    }
    if let Payload::Plain(text, 0) = stripped.payload {
        // The blanks at the end of a lead go lost on empty lines.
        let len = if text.starts_with(lead) { lead.len() } else { text.len() };
        if text.starts_with(lead) || text == lead.trim_end() {
            stripped.payload = Payload::Plain(text.get(len..).unwrap_or_default(), len);
        }
    }
    stripped
}

fn lines_of(text: &str, part: Range<u32>) -> impl Iterator<Item = (usize, &str)> {
    let start = part.start as usize;
    let part = text.get(start..part.end as usize).unwrap_or_default();
    let mut at = start;
    part.split('\n').map(move |line| {
        let here = at;
        at += line.len() + 1;
        (here, line)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at<'t>(text: &'t str, logical: &JoinedText<'_>, needle: &str) -> &'t str {
        let lo = logical.text().find(needle).unwrap_or_else(|| panic!("{needle}"));
        let range = logical.locate(lo..lo + needle.len());
        &text[range.start as usize..range.end as usize]
    }

    fn whole(text: &str) -> Range<u32> {
        0..u32::try_from(text.trim_end_matches('\n').len()).unwrap()
    }

    #[test]
    fn a_single_line_is_borrowed() {
        let text = "[pod/p/c] hello é\r\n";
        let logical = JoinedText::new(text, &[whole(text)]);
        assert_eq!(logical.text(), "hello é");
        assert_eq!(at(text, &logical, "é"), "é");
        assert!(matches!(logical.text, Cow::Borrowed(_)));
    }

    #[test]
    fn parts_of_a_line_are_joined_and_still_found() {
        let t = "2026-11-15T22:40:02.000000037Z stderr";
        let text = format!("{t} P one tw\n{t} F o three\n{t} F four\n");
        let logical = JoinedText::new(&text, &[whole(&text)]);
        assert_eq!(logical.text(), "one two three\nfour");
        assert_eq!(at(&text, &logical, "three"), "three");
        assert_eq!(at(&text, &logical, "two"), format!("tw\n{t} F o"));
        assert_eq!(at(&text, &logical, "four"), "four");
    }

    #[test]
    fn docker_escapes_are_undone_and_still_found() {
        let text = r#"{"log":"a \"b\" \u003cc\n","stream":"stderr","time":"2026-11-15T22:40:01Z"}"#;
        let logical = JoinedText::new(text, &[whole(text)]);
        assert_eq!(logical.text(), "a \"b\" <c");
        assert_eq!(at(text, &logical, "\"b\""), r#"\"b\""#);
        assert_eq!(at(text, &logical, "<c"), r"\u003cc");
        assert_eq!(logical.stamp(), Some("2026-11-15T22:40:01Z"));
    }

    #[test]
    fn leads_are_taken_off_further_lines() {
        let text = "> I1116 02:16:15.592243   20595 main.go:77] \"m\" k=<\n> \tline 1\n>\n>  > n=1";
        let logical = JoinedText::new(text, &[whole(text)]);
        let (_, pairs) = logical.text().split_once("m\" ").unwrap();
        assert_eq!(pairs, "k=<\n\tline 1\n\n > n=1");
        assert_eq!(at(text, &logical, "n=1"), "n=1");
    }

    #[test]
    fn parts_apart_are_put_together() {
        let text = "one\nother\ntwo";
        let logical = JoinedText::new(text, &[0..3, 10..13]);
        assert_eq!(logical.text(), "one\ntwo");
        assert_eq!(at(text, &logical, "two"), "two");
    }
}
