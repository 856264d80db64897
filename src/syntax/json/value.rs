//! One JSON value to one [`Node`].
//!
//! Owns maps and lists, the depth limit and what happens when the text breaks off: everything that
//! is open is closed and marked as cut. It leaves strings, numbers and words to [`super::lexeme`].

use std::borrow::Cow;
use std::ops::Range;

use nom::IResult;
use smol_str::SmolStr;

use super::lexeme::{blanks, number, string, word};
use crate::syntax::text_view::TextView;
use crate::syntax::tree::{Entry, Fidelity, Node, Style, Value};
use crate::syntax::tree_builder::{MAX_DEPTH, missing, problem, scalar, settle_duplicates};
use crate::syntax::{Problem, ProblemKind};

/// Reads along a text.
pub(super) struct Reader<'v, 's> {
    view: &'v TextView<'s>,
    text: &'v str,
    /// The next byte to read.
    pub(super) at: usize,
    /// What was wrong so far.
    pub(super) problems: Vec<Problem>,
    /// Whether reading had to stop.
    pub(super) failed: bool,
    depth: usize,
    /// The entries of all open maps; a finished map takes its own off the end, at their exact number.
    entries: Vec<Entry>,
    /// The items of all open lists, likewise.
    items: Vec<Node>,
}

impl<'v, 's> Reader<'v, 's> {
    /// Starts at the beginning of a range of the view, and does not look beyond its end.
    pub(super) fn new(view: &'v TextView<'s>, range: Range<usize>) -> Self {
        let text = view.text().get(..range.end).unwrap_or_default();
        let (problems, entries, items) = (Vec::new(), Vec::new(), Vec::new());
        Self { view, text, at: range.start, problems, failed: false, depth: 0, entries, items }
    }

    /// Reads a value; `None` if there is none to read.
    pub(super) fn value(&mut self) -> Option<Node> {
        let start = self.at;
        match self.peek() {
            Some(b'{') => self.nest(Self::map),
            Some(b'[') => self.nest(Self::list),
            Some(b'"') => {
                let (text, range, style) = self.string()?;
                Some(Node { style, ..Node::new(self.view.span(range), Value::String(text)) })
            }
            Some(b'-' | b'0'..=b'9') => {
                let value = self.lexeme(number, "a number breaks off here")?;
                Some(scalar(self.view, start..self.at, value))
            }
            _ => {
                let value = self.lexeme(word, "a value should stand here")?;
                Some(scalar(self.view, start..self.at, value))
            }
        }
    }

    fn nest(&mut self, read: fn(&mut Self) -> Value) -> Option<Node> {
        let start = self.at;
        if self.depth >= MAX_DEPTH {
            let message = format!("nested deeper than {MAX_DEPTH} levels");
            self.fail(ProblemKind::TooLarge, start, message);
            return None;
        }
        self.depth += 1;
        self.at += 1;
        let value = read(self);
        self.depth -= 1;
        let fidelity = if self.failed { Fidelity::Cut } else { Fidelity::Read };
        let text = self.text.get(start..self.at).unwrap_or_default();
        let span = self.view.span(start..start + text.trim_ascii_end().len());
        Some(Node::new(span, value).with_fidelity(fidelity))
    }

    fn map(&mut self) -> Value {
        let base = self.entries.len();
        while !self.failed && !self.ends(b'}', self.entries.len() == base) {
            let Some((key, range, _)) = self.key() else { break };
            let key_span = self.view.span(range);
            let node = if self.colon() { self.value() } else { None };
            let node = node.unwrap_or_else(|| missing(key_span));
            self.entries.push(Entry { key, key_span, node });
        }
        let mut entries = self.entries.split_off(base);
        settle_duplicates(&mut entries, &mut self.problems);
        Value::Map(entries)
    }

    fn list(&mut self) -> Value {
        let base = self.items.len();
        while !self.failed && !self.ends(b']', self.items.len() == base) {
            let item = self.value();
            self.items.extend(item);
        }
        Value::List(self.items.split_off(base))
    }

    /// Steps over the bracket that ends a map or list, or over the comma before the next part.
    fn ends(&mut self, bracket: u8, first: bool) -> bool {
        self.skip_blanks();
        match self.peek() {
            Some(byte) if byte == bracket => {
                self.at += 1;
                return true;
            }
            Some(b',') if !first => {
                self.at += 1;
                self.skip_blanks();
            }
            _ if first => {}
            _ => self.fail_here(if bracket == b'}' {
                "`,` or `}` should stand here"
            } else {
                "`,` or `]` should stand here"
            }),
        }
        self.failed
    }

    fn key(&mut self) -> Option<(SmolStr, Range<usize>, Style)> {
        if self.peek() == Some(b'"') {
            return self.string();
        }
        self.fail_here("a key in double quotes should stand here");
        None
    }

    fn colon(&mut self) -> bool {
        self.skip_blanks();
        if self.peek() != Some(b':') {
            self.fail_here("`:` should stand here");
            return false;
        }
        self.at += 1;
        self.skip_blanks();
        true
    }

    fn string(&mut self) -> Option<(SmolStr, Range<usize>, Style)> {
        let start = self.at;
        self.at += 1;
        Some(match self.lexeme(string, "a string breaks off here")? {
            Cow::Borrowed(text) => (text.into(), start + 1..self.at - 1, Style::Plain),
            Cow::Owned(text) => (text.into(), start..self.at, Style::Encoded),
        })
    }

    fn lexeme<T>(&mut self, read: fn(&'v str) -> IResult<&'v str, T>, message: &str) -> Option<T> {
        match read(self.rest()) {
            Ok((rest, value)) => {
                self.at = self.text.len() - rest.len();
                Some(value)
            }
            Err(error) => {
                if let nom::Err::Error(error) | nom::Err::Failure(error) = error {
                    self.at = self.text.len() - error.input.len();
                }
                self.fail_here(message);
                None
            }
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn rest(&self) -> &'v str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip_blanks(&mut self) {
        self.at += blanks(self.rest());
    }

    fn fail_here(&mut self, message: &str) {
        let rest = self.rest();
        // A text that stops within a word, a number or an escape was cut there.
        let stops = rest.len() < 12 && !rest.contains(['"', ',', '{', '}', '[', ']', '\n']);
        if stops {
            self.fail(ProblemKind::Truncated, self.at, format!("the text ends here: {message}"));
            self.at = self.text.len();
        } else {
            self.fail(ProblemKind::Malformed, self.at, message.to_owned());
        }
    }

    fn fail(&mut self, kind: ProblemKind, at: usize, message: String) {
        let line = self.text.get(at..).and_then(|rest| rest.lines().next()).unwrap_or_default();
        let shown: usize = line.chars().take(80).map(char::len_utf8).sum();
        self.problems.push(problem(kind, self.view.span(at..at + shown), message));
        self.failed = true;
    }
}
