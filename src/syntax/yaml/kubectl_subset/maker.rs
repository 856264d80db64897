//! What the strict reader makes of what it reads: trees, or nothing but the certainty that a tree can be made.

use std::ops::Range;

use super::super::scalar::{Dialect, resolve, resolve_as_server};
use crate::source::Span;
use crate::syntax::tree::{Entry, Node, Value};
use crate::syntax::tree_builder::{are_distinct, settle_duplicates, spelled};
use crate::syntax::way_back::WayBack;

/// The length of `false`, the longest word that is no text.
const LONGEST_KEYWORD: usize = 5;

/// Makes something of scalars, entries, maps and lists.
pub(super) trait Maker<'v> {
    type Node;
    type Entry;
    /// Whether values are wanted.
    const BUILDS: bool;

    /// Types a plain scalar.
    fn resolve(&self, text: &str) -> Value;
    /// Takes a text as it stands.
    fn text(&self, text: &str, range: Range<usize>) -> Self::Node;
    /// Takes a plain scalar of one line.
    fn plain(&self, text: &str, range: Range<usize>) -> Self::Node;
    /// Takes a scalar that some text spells.
    fn spelled(&self, text: &str, range: Range<usize>, value: Value) -> Self::Node;
    /// Takes nothing, or a map or list of nothing.
    fn empty(&self, value: Value, range: Range<usize>) -> Self::Node;
    /// Takes a key with its value.
    fn entry(&self, key: &'v str, range: Range<usize>, node: Self::Node) -> Self::Entry;
    /// Takes the entries from `base` on off the end; `None` if a key stands twice or is no text.
    fn map(
        &self,
        entries: &mut Vec<Self::Entry>,
        base: usize,
        range: Range<usize>,
    ) -> Option<Self::Node>;
    /// Takes the items from `base` on off the end.
    fn list(&self, items: &mut Vec<Self::Node>, base: usize, range: Range<usize>) -> Self::Node;
}

/// Makes trees.
pub(super) struct Trees<'v> {
    pub(super) places: WayBack<'v>,
    pub(super) dialect: Dialect,
}

impl Trees<'_> {
    pub(super) fn span(&self, range: Range<usize>) -> Span {
        self.places.span(range)
    }
}

impl<'v> Maker<'v> for Trees<'v> {
    type Node = Node;
    type Entry = Entry;
    const BUILDS: bool = true;

    fn resolve(&self, text: &str) -> Value {
        match self.dialect {
            Dialect::Core => resolve(text),
            Dialect::Server => resolve_as_server(text),
        }
    }

    fn text(&self, text: &str, range: Range<usize>) -> Node {
        Node::new(self.span(range), Value::String(text.into()))
    }

    fn plain(&self, text: &str, range: Range<usize>) -> Node {
        // What no keyword and no number begins with is text, and so is what is longer than a keyword.
        let is_text = self.dialect == Dialect::Core
            && text.bytes().next().is_some_and(|first| {
                let keyword = matches!(first, b'n' | b'N' | b't' | b'T' | b'f' | b'F');
                first.is_ascii_alphabetic() && (!keyword || text.len() > LONGEST_KEYWORD)
            });
        if is_text {
            return self.text(text, range);
        }
        self.spelled(text, range, self.resolve(text))
    }

    fn spelled(&self, text: &str, range: Range<usize>, value: Value) -> Node {
        spelled(text, self.span(range), value)
    }

    fn empty(&self, value: Value, range: Range<usize>) -> Node {
        Node::new(self.span(range), value)
    }

    fn entry(&self, key: &'v str, range: Range<usize>, node: Node) -> Entry {
        Entry { key: key.into(), key_span: self.span(range), node }
    }

    fn map(&self, entries: &mut Vec<Entry>, base: usize, range: Range<usize>) -> Option<Node> {
        let mut entries = entries.split_off(base);
        // The server types keys, too.
        let is_text = |entry: &Entry| matches!(resolve_as_server(&entry.key), Value::String(_));
        if self.dialect == Dialect::Server && !entries.iter().all(is_text) {
            return None;
        }
        let mut problems = Vec::new();
        settle_duplicates(&mut entries, &mut problems);
        problems.is_empty().then(|| Node::new(self.span(range), Value::Map(entries.into())))
    }

    fn list(&self, items: &mut Vec<Node>, base: usize, range: Range<usize>) -> Node {
        Node::new(self.span(range), Value::List(items.split_off(base)))
    }
}

/// Makes nothing.
pub(super) struct NoTree;

impl<'v> Maker<'v> for NoTree {
    type Node = ();
    type Entry = &'v str;
    const BUILDS: bool = false;

    fn resolve(&self, _: &str) -> Value {
        Value::Null
    }

    fn text(&self, _: &str, _: Range<usize>) {}

    fn plain(&self, _: &str, _: Range<usize>) {}

    fn spelled(&self, _: &str, _: Range<usize>, _: Value) {}

    fn empty(&self, _: Value, _: Range<usize>) {}

    fn entry(&self, key: &'v str, _: Range<usize>, (): ()) -> &'v str {
        key
    }

    fn map(&self, keys: &mut Vec<&'v str>, base: usize, _: Range<usize>) -> Option<()> {
        let distinct = are_distinct(keys.get_mut(base..)?);
        keys.truncate(base);
        distinct.then_some(())
    }

    fn list(&self, items: &mut Vec<()>, base: usize, _: Range<usize>) {
        items.truncate(base);
    }
}
