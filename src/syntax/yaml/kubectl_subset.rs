//! A strict reader for the YAML that kubectl prints.
//!
//! Owns the common case: maps and lists in block style, plain keys, values of one line. A value that
//! is folded, escaped or a block is handed to the full parser alone; anything else (comments,
//! anchors, tags, brackets, doubtful text) makes it give up, and the full parser reads the whole.
//! Invariant: what is returned equals what the full parser returns.

use std::ops::Range;

use super::document_head::is_plain_key;
use super::events::{Events, ScalarForm, TagHint, YamlEvent};
use super::from_events::place;
use super::lines::{Lines, YamlLine};
use super::scalar::resolve;
use crate::syntax::Problem;
use crate::syntax::text_view::TextView;
use crate::syntax::tree::{Entry, Node, Value};
use crate::syntax::tree_builder::{MAX_DEPTH, scalar, settle_duplicates};

/// The longest key; YAML allows 1024 characters, kubectl prints longer ones than 128 in another way.
const MAX_KEY: usize = 128;

/// How many entries of an object are usually begun at a time.
const USUAL_DEPTH: usize = 32;

/// Reads one document or list item; `None` if it is not of the strict shape.
pub(super) fn read_canonical(view: &TextView<'_>, range: Range<usize>) -> Option<Node> {
    let text = view.text();
    if !is_printable(text.get(range.clone())?) {
        return None;
    }
    let mut lines = Lines::new(text, range.clone());
    let mut first = lines.next()?;
    if first.is_marker() && first.start == range.start {
        first = lines.next()?;
    }
    let next = lines.next();
    let (entries, items) = (Vec::with_capacity(USUAL_DEPTH), Vec::new());
    let mut reader = Reader { view, end: range.end, lines, next, depth: 0, entries, items };
    let (root, _) = reader.block(first)?;
    reader.next.is_none().then_some(root)
}

/// Says whether a text has only characters that mean themselves; a carriage return does not.
fn is_printable(text: &str) -> bool {
    let plain = |byte: u8| byte >= b' ' && byte != 0x7f || byte == b'\n' || byte == b'\t';
    let doubtful =
        |c: char| matches!(c, '\u{80}'..='\u{9f}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}');
    text.bytes().fold(true, |fine, byte| fine & plain(byte))
        && (text.is_ascii() || !text.chars().any(doubtful))
}

/// A node, and the bytes that it takes in the text, quotes included.
type Placed = (Node, Range<usize>);

struct Reader<'v, 's> {
    view: &'v TextView<'s>,
    end: usize,
    lines: Lines<'v>,
    /// The line behind the one that is being read.
    next: Option<YamlLine<'v>>,
    depth: usize,
    /// The entries and items of all maps and lists that are begun: each gets its own, in one piece, when it ends.
    entries: Vec<Entry>,
    items: Vec<Node>,
}

impl<'v> Reader<'v, '_> {
    fn advance(&mut self) -> Option<YamlLine<'v>> {
        std::mem::replace(&mut self.next, self.lines.next())
    }

    /// Reads the map or list that begins with a line.
    fn block(&mut self, first: YamlLine<'v>) -> Option<Placed> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let block = if first.is_item() { self.list(first) } else { self.map(first) };
        self.depth -= 1;
        block
    }

    fn map(&mut self, mut line: YamlLine<'v>) -> Option<Placed> {
        let (indent, start) = (line.indent, line.content());
        let mut end;
        let base = self.entries.len();
        loop {
            let (key, value) = line.key_value()?;
            if !is_plain_key(key) || key.len() > MAX_KEY {
                return None;
            }
            let at = line.content();
            let key_range = at..at + key.len();
            let (node, range) = if value.is_empty() {
                self.below(indent, key_range.end + 1)?
            } else {
                self.value(value, at + line.text.len() - value.len(), indent)?
            };
            end = range.end;
            let key_span = self.view.span(key_range);
            self.entries.push(Entry { key: key.into(), key_span, node });
            match self.next {
                Some(next) if next.indent > indent => return None,
                Some(next) if next.indent == indent => {
                    line = self.advance().filter(|_| !next.is_item())?
                }
                _ => break,
            }
        }
        let mut problems: Vec<Problem> = Vec::new();
        let mut entries = self.entries.split_off(base);
        settle_duplicates(&mut entries, &mut problems);
        problems.is_empty().then(|| self.placed(Value::Map(entries), start..end))
    }

    fn list(&mut self, mut line: YamlLine<'v>) -> Option<Placed> {
        let indent = line.indent;
        let (mut start, mut end) = (None, 0);
        let base = self.items.len();
        loop {
            let item = line.behind_dash();
            let nests =
                item.is_item() || !item.text.starts_with(['"', '\'']) && item.key_value().is_some();
            let (node, range) = if nests {
                self.block(item)?
            } else {
                self.value(item.text, item.content(), indent)?
            };
            start.get_or_insert(range.start);
            end = range.end.max(end);
            self.items.push(node);
            match self.next {
                Some(next) if next.indent > indent => return None,
                Some(next) if next.indent == indent && next.is_item() => line = self.advance()?,
                _ => break,
            }
        }
        let items = self.items.split_off(base);
        Some(self.placed(Value::List(items), start?..end))
    }

    /// Reads what stands below a key without a value, which ends at `at`.
    fn below(&mut self, indent: usize, at: usize) -> Option<Placed> {
        match self.next {
            Some(next) if next.indent > indent || next.indent == indent && next.is_item() => {
                self.advance();
                self.block(next)
            }
            _ => Some(self.placed(Value::Null, at..at)),
        }
    }

    /// Reads the value that begins at `start` in a map or list of the given indentation.
    fn value(&mut self, text: &'v str, start: usize, indent: usize) -> Option<Placed> {
        let range = start..start + text.len();
        if self.next.is_some_and(|next| next.indent > indent) {
            let block = self.literal_block(text, start, indent);
            let words = block.or_else(|| self.folded_words(text, start, indent));
            return words.or_else(|| self.scalar_of_lines(text, start, indent));
        }
        match text.as_bytes() {
            b"{}" => Some(self.placed(Value::Map(Vec::new()), range)),
            b"[]" => Some(self.placed(Value::List(Vec::new()), range)),
            [quote @ (b'"' | b'\''), inner @ .., end] if quote == end => {
                if memchr::memchr2(*quote, b'\\', inner).is_some() {
                    return self.scalar_of_lines(text, start, indent);
                }
                let inner = start + 1..range.end - 1;
                let value = Value::String(self.view.text().get(inner.clone())?.into());
                Some((Node::new(self.view.span(inner), value), range))
            }
            _ if is_plain_value(text) => {
                Some((scalar(self.view, range.clone(), resolve(text)), range))
            }
            _ => None,
        }
    }

    /// Reads a block of lines as they are, as kubectl prints texts of several lines; takes no line where it gives up.
    fn literal_block(&mut self, header: &str, start: usize, indent: usize) -> Option<Placed> {
        let keeps_break = match header {
            "|" => true,
            "|-" => false,
            _ => return None,
        };
        let mut behind = self.clone_place();
        while behind.1.is_some_and(|next| next.indent > indent) {
            behind.1 = behind.0.next();
        }
        let end = behind.1.map_or(self.end, |next| next.start);
        let block = self.view.text().get(start + header.len()..end)?;
        let lines = block.strip_prefix('\n')?.strip_suffix('\n')?;
        let first = self.next?;
        let depth = first.indent;
        let mut value = String::with_capacity(lines.len());
        for line in lines.split('\n') {
            if !line.is_empty() {
                let (blanks, words) = line.split_at_checked(depth)?;
                if blanks.bytes().any(|byte| byte != b' ') || words.trim_ascii().is_empty() {
                    return None;
                }
                value.push_str(words);
            }
            value.push('\n');
        }
        // A block begins and ends with a line that says something: only then chomping is plain.
        if value.starts_with('\n') || value.ends_with("\n\n") {
            return None;
        }
        if !keeps_break {
            value.pop();
        }
        (self.lines, self.next) = behind;
        let range = first.content()..start + header.len() + block.trim_ascii_end().len();
        Some((scalar(self.view, range.clone(), Value::String(value.into())), range))
    }

    /// Returns where the reader is, to go back there.
    fn clone_place(&self) -> (Lines<'v>, Option<YamlLine<'v>>) {
        (self.lines.clone(), self.next)
    }

    /// Reads words that go on over several lines, none of them blank or doubtful; takes no line where it gives up.
    fn folded_words(&mut self, text: &'v str, start: usize, indent: usize) -> Option<Placed> {
        if !is_plain_value(text) || matches!(text, "|" | ">") {
            return None;
        }
        let (before, mut end) = (self.clone_place(), start + text.len());
        let mut words = text.to_owned();
        while let Some(next) = self.next.filter(|next| next.indent > indent) {
            let gap = self.view.text().get(end..next.start);
            if gap != Some("\n") || next.text.contains('\t') || !is_plain_inside(next.text) {
                (self.lines, self.next) = before;
                return None;
            }
            words.push(' ');
            words.push_str(next.text);
            end = next.content() + next.text.len();
            self.advance();
        }
        Some((scalar(self.view, start..end, resolve(&words)), start..end))
    }

    /// Hands a scalar with all its lines to the full parser.
    fn scalar_of_lines(&mut self, text: &str, start: usize, indent: usize) -> Option<Placed> {
        let block = matches!(text, "|" | "|-" | "|+" | ">" | ">-" | ">+");
        if !block && !text.starts_with(['"', '\'']) && !is_plain_value(text) {
            return None;
        }
        while self.next.is_some_and(|next| next.indent > indent) {
            self.advance();
        }
        let end = self.next.map_or(self.end, |next| next.start);
        let mut events = Events::new(self.view.text().get(start..end)?);
        let mut next = || events.next().and_then(Result::ok);
        let (YamlEvent::DocumentStart, _) = next()? else { return None };
        let (YamlEvent::Scalar { text, form, hint: TagHint::None, anchor: 0 }, range) = next()?
        else {
            return None;
        };
        let (YamlEvent::DocumentEnd, _) = next()? else { return None };
        if events.next().is_some() {
            return None;
        }
        let range = start + range.start..start + range.end;
        let (outer, inner) = place(self.view, range, form, &text);
        let plain = form == ScalarForm::Plain;
        let value = if plain { resolve(&text) } else { Value::String(text.into()) };
        Some((scalar(self.view, inner, value), outer))
    }

    fn placed(&self, value: Value, range: Range<usize>) -> Placed {
        (Node::new(self.view.span(range.clone()), value), range)
    }
}

/// Says whether a line of text is surely a plain scalar that means itself.
fn is_plain_value(text: &str) -> bool {
    let mut bytes = text.bytes();
    let (first, second) = (bytes.next().unwrap_or(b'#'), bytes.next().unwrap_or(b' '));
    let word =
        |byte: u8| byte.is_ascii_alphanumeric() || byte >= 0x80 || b"/._(<$+~^;\\=".contains(&byte);
    let fits = word(first) || first == b'-' && word(second);
    // At the start of a text of its own, dots would end a document.
    fits && !text.starts_with("...") && is_plain_inside(text)
}

/// Says whether a line of text surely ends no plain scalar that it is a part of.
fn is_plain_inside(text: &str) -> bool {
    let blank = |at: Option<usize>| {
        at.and_then(|at| text.as_bytes().get(at)).is_none_or(u8::is_ascii_whitespace)
    };
    !memchr::memchr_iter(b':', text.as_bytes()).any(|at| blank(Some(at + 1)))
        && !memchr::memchr_iter(b'#', text.as_bytes()).any(|at| blank(at.checked_sub(1)))
}

#[cfg(test)]
mod tests;
