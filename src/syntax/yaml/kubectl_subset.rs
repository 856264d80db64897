//! A strict reader for the YAML that kubectl prints.
//!
//! Owns the common case: maps and lists in block style, plain keys, values of one line. A value that
//! is folded, escaped or a block is handed to the full parser alone; anything else (comments,
//! anchors, tags, brackets, doubtful text) makes it give up, and the full parser reads the whole.
//! What people write is often of that shape, too, and read as the API server types it.
//! Invariant: what is returned equals what the full parser returns.

mod maker;
mod scalars;

use std::ops::Range;
use std::sync::Arc;

use super::document_head::plain_key;
use super::lines::{Lines, YamlLine};
use super::scalar::Dialect;
use crate::syntax::entries::MapText;
use crate::syntax::text_view::TextView;
use crate::syntax::tree::{Entries, Entry, Node, Value};
use crate::syntax::tree_builder::{MAX_DEPTH, SHORTEST_UNREAD};
use crate::syntax::way_back::WayBack;
use maker::{Maker, NoTree, Trees};
use scalars::{is_plain_value, mark_of, unescape};

/// The longest key; YAML allows 1024 characters, kubectl prints longer ones than 128 in another way.
const MAX_KEY: usize = 128;

/// How many entries of an object are usually begun at a time.
const USUAL_DEPTH: usize = 32;

/// Reads one document or list item; `None` if it is not of the strict shape.
///
/// The parts whose keys are `unread` are checked, and read when somebody asks for them.
pub(super) fn read_canonical(
    view: &TextView<'_>,
    range: Range<usize>,
    unread: &[&str],
) -> Option<Node> {
    let (first, lines) = first_line(view, range.clone())?;
    let new_reader = || Reader::of_trees(view, range.end, lines.clone(), Dialect::Core);
    if let Some((text, base)) = view.as_shared().filter(|_| !unread.is_empty()) {
        let source = view.source().id();
        let keep = move |range: Range<usize>| {
            let at = |at: usize| u32::try_from(base + at).ok();
            let (text, range) = (Arc::clone(text), at(range.start)?..at(range.end)?);
            Some(Entries::unread(MapText { text, source, range, reader: read_map }))
        };
        let mut reader = new_reader();
        let root = reader.root(first, unread, &keep);
        if let Some((root, _)) = root.filter(|_| reader.next.is_none()) {
            return Some(root);
        }
    }
    new_reader().whole(first)
}

/// Reads one document that a person wrote, as the API server does; `None` if it is not of the strict shape.
///
/// Comments have to be told and the server has rules of its own about tabs: both are left to the full parser.
pub(super) fn read_canonical_as_server(view: &TextView<'_>, range: Range<usize>) -> Option<Node> {
    let written = view.text().get(range.clone())?.as_bytes();
    if memchr::memchr2(b'#', b'\t', written).is_some() {
        return None;
    }
    let (first, lines) = first_line(view, range.clone())?;
    Reader::of_trees(view, range.end, lines, Dialect::Server).whole(first)
}

/// Returns the first line of a document behind its marker, and those that follow; `None` if its text is doubtful.
fn first_line<'v>(
    view: &'v TextView<'_>,
    range: Range<usize>,
) -> Option<(YamlLine<'v>, Lines<'v>)> {
    let text = view.text();
    if !is_printable(text.get(range.clone())?) {
        return None;
    }
    let mut lines = Lines::new(text, range.clone());
    let first = lines.next()?;
    let marker = first.is_marker() && first.start == range.start;
    Some((if marker { lines.next()? } else { first }, lines))
}

/// Reads the entries of a map that was checked before, or some of them.
fn read_map(map: &MapText, keys: Option<&[&str]>) -> Vec<Entry> {
    let range = map.range.start as usize..map.range.end as usize;
    let lines = Lines::new(&map.text, range.clone());
    let places = WayBack::Straight { source: map.source, base: 0 };
    let maker = Trees { places, dialect: Dialect::Core };
    let mut reader = Reader::new(&map.text, range.end, lines, maker);
    let Some(indent) = reader.next.map(|first| first.indent) else { return Vec::new() };
    let mut read = Vec::new();
    while let Some(line) = reader.next {
        let key = plain_key(line.text).map(|(key, _)| key);
        if keys.is_none_or(|keys| key.is_some_and(|key| keys.contains(&key))) {
            reader.advance();
            let Some((entry, _)) = reader.entry(line, &mut |_, _, _| None) else { break };
            read.push(entry);
        } else {
            reader.skip_entry(indent);
        }
    }
    read
}

/// Says whether a text has only characters that mean themselves; a carriage return does not.
fn is_printable(text: &str) -> bool {
    let plain = |byte: u8| byte >= b' ' && byte != 0x7f || byte == b'\n' || byte == b'\t';
    let doubtful =
        |c: char| matches!(c, '\u{80}'..='\u{9f}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}');
    text.bytes().fold(true, |fine, byte| fine & plain(byte))
        && (text.is_ascii() || !text.chars().any(doubtful))
}

/// What was made, and the bytes that it takes in the text, quotes included.
type Placed<N> = (N, Range<usize>);

/// Makes what stands for a part that is not read.
type Keep<'k> = &'k dyn Fn(Range<usize>) -> Option<Entries>;

struct Reader<'v, M: Maker<'v>> {
    text: &'v str,
    end: usize,
    lines: Lines<'v>,
    /// The line behind the one that is being read.
    next: Option<YamlLine<'v>>,
    depth: usize,
    /// The entries and items of all maps and lists that are begun: each gets its own, in one piece, when it ends.
    entries: Vec<M::Entry>,
    items: Vec<M::Node>,
    maker: M,
}

impl<'v> Reader<'v, Trees<'v>> {
    fn of_trees(view: &'v TextView<'_>, end: usize, lines: Lines<'v>, dialect: Dialect) -> Self {
        Reader::new(view.text(), end, lines, Trees { places: WayBack::of(view), dialect })
    }

    /// Reads all there is.
    fn whole(mut self, first: YamlLine<'v>) -> Option<Node> {
        let (root, _) = self.block(first)?;
        self.next.is_none().then_some(root)
    }

    /// Reads the map of an object, and checks only those of its parts that are not to be read.
    fn root(
        &mut self,
        first: YamlLine<'v>,
        unread: &[&str],
        keep: Keep<'_>,
    ) -> Option<Placed<Node>> {
        if first.is_item() {
            let item = first.behind_dash();
            if plain_key(item.text).is_none() {
                return self.block(first);
            }
            self.depth += 1;
            let (root, range) = self.root(item, unread, keep)?;
            return Some((self.maker.list(&mut vec![root], 0, range.clone()), range));
        }
        self.depth += 1;
        self.map(first, &mut |reader, key, indent| {
            let next = reader.next.filter(|next| next.indent > indent && !next.is_item())?;
            if !unread.contains(&key) {
                return None;
            }
            let mut check = Reader::new(reader.text, reader.end, reader.lines.clone(), NoTree);
            check.depth = reader.depth;
            let (_, range) = check.block(next)?;
            if range.len() < SHORTEST_UNREAD {
                return None;
            }
            let end = check.next.map_or(reader.end, |next| next.start);
            let node =
                Node::new(reader.maker.span(range.clone()), Value::Map(keep(next.start..end)?));
            (reader.lines, reader.next) = (check.lines, check.next);
            Some((node, range))
        })
    }
}

/// Takes the part under a key, which has the given indentation, in another way; takes no line where it gives up.
type TakePart<'r, 'v, M> =
    &'r mut dyn FnMut(&mut Reader<'v, M>, &'v str, usize) -> Option<Placed<<M as Maker<'v>>::Node>>;

impl<'v, M: Maker<'v>> Reader<'v, M> {
    fn new(text: &'v str, end: usize, mut lines: Lines<'v>, maker: M) -> Self {
        let next = lines.next();
        let (entries, items) = (Vec::with_capacity(USUAL_DEPTH), Vec::new());
        Self { text, end, lines, next, depth: 0, entries, items, maker }
    }

    fn advance(&mut self) -> Option<YamlLine<'v>> {
        std::mem::replace(&mut self.next, self.lines.next())
    }

    /// Reads the map or list that begins with a line.
    fn block(&mut self, first: YamlLine<'v>) -> Option<Placed<M::Node>> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let block =
            if first.is_item() { self.list(first) } else { self.map(first, &mut |_, _, _| None) };
        self.depth -= 1;
        block
    }

    fn map(
        &mut self,
        mut line: YamlLine<'v>,
        take: TakePart<'_, 'v, M>,
    ) -> Option<Placed<M::Node>> {
        let (indent, start) = (line.indent, line.content());
        let mut end;
        let base = self.entries.len();
        loop {
            let (entry, range) = self.entry(line, take)?;
            end = range.end;
            self.entries.push(entry);
            match self.next {
                Some(next) if next.indent > indent => return None,
                Some(next) if next.indent == indent => {
                    line = self.advance().filter(|_| !next.is_item())?
                }
                _ => break,
            }
        }
        let map = self.maker.map(&mut self.entries, base, start..end)?;
        Some((map, start..end))
    }

    /// Reads the key that stands in a line, with its value; also returns the bytes of the value.
    fn entry(
        &mut self,
        line: YamlLine<'v>,
        take: TakePart<'_, 'v, M>,
    ) -> Option<(M::Entry, Range<usize>)> {
        let (key, value) = plain_key(line.text).filter(|(key, _)| key.len() <= MAX_KEY)?;
        let at = line.content();
        let key_range = at..at + key.len();
        let (node, range) = if value.is_empty() {
            match take(self, key, line.indent) {
                Some(part) => part,
                None => self.below(line.indent, key_range.end + 1)?,
            }
        } else {
            self.value(value, at + line.text.len() - value.len(), line.indent)?
        };
        Some((self.maker.entry(key, key_range, node), range))
    }

    /// Passes over the next line and all that belongs to the key in it.
    fn skip_entry(&mut self, indent: usize) {
        loop {
            self.lines.skip_deeper(indent + 1);
            self.next = self.lines.next();
            if !self.next.is_some_and(|next| next.is_item()) {
                return;
            }
        }
    }

    fn list(&mut self, mut line: YamlLine<'v>) -> Option<Placed<M::Node>> {
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
        let range = start?..end;
        Some((self.maker.list(&mut self.items, base, range.clone()), range))
    }

    /// Reads what stands below a key without a value, which ends at `at`.
    fn below(&mut self, indent: usize, at: usize) -> Option<Placed<M::Node>> {
        match self.next {
            Some(next) if next.indent > indent || next.indent == indent && next.is_item() => {
                self.advance();
                self.block(next)
            }
            _ => Some((self.maker.empty(Value::Null, at..at), at..at)),
        }
    }

    /// Reads the value that begins at `start` in a map or list of the given indentation.
    fn value(&mut self, text: &'v str, start: usize, indent: usize) -> Option<Placed<M::Node>> {
        let range = start..start + text.len();
        if self.next.is_some_and(|next| next.indent > indent) {
            let block = self.literal_block(text, start, indent);
            let words = block.or_else(|| self.folded_words(text, start, indent));
            let quoted = words.or_else(|| self.folded_quote(text, start, indent));
            return quoted.or_else(|| self.scalar_of_lines(text, start, indent));
        }
        match text.as_bytes() {
            b"{}" => Some((self.maker.empty(Value::Map(Entries::default()), range.clone()), range)),
            b"[]" => Some((self.maker.empty(Value::List(Vec::new()), range.clone()), range)),
            [quote @ (b'"' | b'\''), inner @ .., end] if quote == end => {
                let escaped = memchr::memchr2(*quote, mark_of(*quote), inner).is_some();
                let inner = text.get(1..text.len() - 1)?;
                if !escaped {
                    return Some((self.maker.text(inner, start + 1..range.end - 1), range));
                }
                let Some(value) = unescape(inner, *quote) else {
                    return self.scalar_of_lines(text, start, indent);
                };
                let value = Value::String(value.into());
                Some((self.maker.spelled(text, range.clone(), value), range))
            }
            _ if is_plain_value(text) => Some((self.maker.plain(text, range.clone()), range)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
