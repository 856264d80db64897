//! One JSON value to one [`Node`].
//!
//! Owns maps and lists, the depth limit and what happens when the text breaks off: everything that
//! is open is closed and marked as cut. It leaves strings, numbers and words to [`super::lexeme`].

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use nom::IResult;
use smol_str::SmolStr;

use super::lexeme::{blanks, number, string, word};
use super::skim::end_of_value;
use super::sound::end_of_sound;
use crate::source::SourceId;
use crate::syntax::entries::MapText;
use crate::syntax::text_view::TextView;
use crate::syntax::tree::{Entries, Entry, Fidelity, Node, Style, Value};
use crate::syntax::tree_builder::{
    MAX_DEPTH, SHORTEST_UNREAD, missing, problem, settle_duplicates, spelled,
};
use crate::syntax::way_back::WayBack;
use crate::syntax::{Problem, ProblemKind};

/// Reads along a text.
pub(super) struct Reader<'v> {
    places: WayBack<'v>,
    text: &'v str,
    /// The text of the whole file and where the view of it begins, and the parts that are not to be read.
    unread: Option<(&'v Arc<String>, SourceId, usize, &'v [&'v str])>,
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

impl<'v> Reader<'v> {
    /// Starts at the beginning of a range of the view, and does not look beyond its end.
    pub(super) fn new(view: &'v TextView<'_>, range: Range<usize>, unread: &'v [&'v str]) -> Self {
        let text = view.text().get(..range.end).unwrap_or_default();
        let shared = view.as_shared().filter(|_| !unread.is_empty());
        let unread = shared.map(|(text, base)| (text, view.source().id(), base, unread));
        Self { unread, ..Self::at(WayBack::of(view), text, range.start) }
    }

    fn at(places: WayBack<'v>, text: &'v str, at: usize) -> Self {
        let (problems, entries, items) = (Vec::new(), Vec::new(), Vec::new());
        let (failed, depth, unread) = (false, 0, None);
        Self { places, text, unread, at, problems, failed, depth, entries, items }
    }

    /// Steps over the value of a key at the root that is sound and not to be read, and keeps it as text.
    fn unread(&mut self, key: &str) -> Option<Node> {
        let (text, source, base, parts) = self.unread.filter(|_| self.depth == 1)?;
        if self.peek() != Some(b'{') || !parts.contains(&key) {
            return None;
        }
        let end = end_of_sound(self.text, self.at, MAX_DEPTH - self.depth)?;
        let inner = self.text.get(self.at + 1..end - 1)?;
        if inner.len() < SHORTEST_UNREAD || inner.trim_ascii().is_empty() {
            return None;
        }
        let place = |at: usize| u32::try_from(base + at).ok();
        let range = place(self.at)?..place(end)?;
        let text = Arc::clone(text);
        let map = Entries::unread(MapText { text, source, range, reader: read_map });
        let span = self.places.span(self.at..end);
        self.at = end;
        Some(Node::new(span, Value::Map(map)))
    }

    /// Reads a value; `None` if there is none to read.
    pub(super) fn value(&mut self) -> Option<Node> {
        let start = self.at;
        match self.peek() {
            Some(b'{') => self.nest(Self::map),
            Some(b'[') => self.nest(Self::list),
            Some(b'"') => {
                let (text, range, style) = self.string()?;
                Some(Node { style, ..Node::new(self.places.span(range), Value::String(text)) })
            }
            Some(b'-' | b'0'..=b'9') => {
                let value = self.lexeme(number, "a number breaks off here")?;
                Some(self.scalar(start..self.at, value))
            }
            _ => {
                let value = self.lexeme(word, "a value should stand here")?;
                Some(self.scalar(start..self.at, value))
            }
        }
    }

    fn scalar(&self, range: Range<usize>, value: Value) -> Node {
        let text = self.text.get(range.clone()).unwrap_or_default();
        spelled(text, self.places.span(range), value)
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
        let span = self.places.span(start..start + text.trim_ascii_end().len());
        Some(Node::new(span, value).with_fidelity(fidelity))
    }

    fn map(&mut self) -> Value {
        let base = self.entries.len();
        while !self.failed && !self.ends(b'}', self.entries.len() == base) {
            let Some((key, range, _)) = self.key() else { break };
            let key_span = self.places.span(range);
            let colon = self.colon();
            let unread = if colon { self.unread(&key) } else { None };
            let node = unread.or_else(|| if colon { self.value() } else { None });
            let node = node.unwrap_or_else(|| missing(key_span));
            self.entries.push(Entry { key, key_span, node });
        }
        let mut entries = self.entries.split_off(base);
        settle_duplicates(&mut entries, &mut self.problems);
        Value::Map(entries.into())
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
        self.problems.push(problem(kind, self.places.span(at..at + shown), message));
        self.failed = true;
    }
}

/// Reads the entries of a map that was found sound before, or some of them.
fn read_map(map: &MapText, keys: Option<&[&str]>) -> Vec<Entry> {
    let range = map.range.start as usize..map.range.end as usize;
    let text = map.text.get(..range.end).unwrap_or_default();
    let places = WayBack::Straight { source: map.source, base: 0 };
    let mut reader = Reader::at(places, text, range.start + 1);
    let mut read = Vec::new();
    let mut first = true;
    while !reader.failed && !reader.ends(b'}', first) {
        first = false;
        let Some((key, range, _)) = reader.key() else { break };
        let key_span = reader.places.span(range);
        if !reader.colon() {
            break;
        }
        if keys.is_none_or(|keys| keys.contains(&&*key)) {
            let Some(node) = reader.value() else { break };
            read.push(Entry { key, key_span, node });
        } else {
            reader.at = end_of_value(text, reader.at).unwrap_or(text.len());
        }
    }
    read
}
