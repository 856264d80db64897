//! Reading leaves out of nodes: the small vocabulary that every family file uses.
//!
//! Owns [`Text`], the string leaf, and the `read_*` functions. A missing or misshapen field is `None`.

use std::ops::Deref;

use jiff::Timestamp;

use super::time::read_timestamp;
use crate::source::{Span, Spanned};
use crate::syntax::tree::{Fidelity, Node, Style};

/// A piece of text with its place, and how it was written there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The value.
    pub value: Box<str>,
    /// Where it stands.
    pub span: Span,
    /// Whether the characters under the span are the value.
    pub style: Style,
    /// How far to trust it.
    pub fidelity: Fidelity,
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.value
    }
}

impl Text {
    /// Reads a scalar of any type as text.
    pub fn of(node: &Node) -> Option<Self> {
        let Spanned { value, span } = node.text()?;
        Some(Self { value, span, style: node.style, fidelity: node.fidelity })
    }
}

/// A user-defined pair: label, annotation, property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The key.
    pub key: Box<str>,
    /// Where the key stands.
    pub key_span: Span,
    /// The value.
    pub value: Text,
}

/// Reads a text field.
pub fn read_text(node: &Node, key: &str) -> Option<Text> {
    Text::of(node.get(key)?)
}

/// Reads a whole number.
pub fn read_int(node: &Node, key: &str) -> Option<Spanned<i64>> {
    let field = node.get(key)?;
    Some(Spanned::new(field.as_i64()?, field.span))
}

/// Reads a truth value.
pub fn read_bool(node: &Node, key: &str) -> Option<Spanned<bool>> {
    let field = node.get(key)?;
    Some(Spanned::new(field.as_bool()?, field.span))
}

/// Reads an instant.
pub fn read_time(node: &Node, key: &str) -> Option<Spanned<Timestamp>> {
    let field = node.get(key)?;
    Some(Spanned::new(read_timestamp(field.as_str()?)?, field.span))
}

/// Reads the items of a list field; a single map counts as a list of one, as describe prints it.
pub fn read_list<T>(node: &Node, key: &str, read: impl Fn(&Node) -> T) -> Vec<T> {
    list_items(node, key).iter().map(read).collect()
}

/// Reads the items of a list field for which `read` gives a value.
pub fn read_some<T>(node: &Node, key: &str, read: impl Fn(&Node) -> Option<T>) -> Vec<T> {
    list_items(node, key).iter().filter_map(read).collect()
}

/// Reads a list of texts.
pub fn read_texts(node: &Node, key: &str) -> Vec<Text> {
    read_some(node, key, Text::of)
}

/// Reads a map of texts in file order.
pub fn read_pairs(node: &Node, key: &str) -> Vec<Pair> {
    let entries = node.get(key).map(Node::entries).unwrap_or_default();
    let pair = |entry: &crate::syntax::tree::Entry| {
        let value = Text::of(&entry.node)?;
        Some(Pair { key: entry.key.clone(), key_span: entry.key_span, value })
    };
    entries.iter().filter_map(pair).collect()
}

/// Finds the value of a pair by its key.
pub fn find_pair<'p>(pairs: &'p [Pair], key: &str) -> Option<&'p Text> {
    pairs.iter().find(|pair| &*pair.key == key).map(|pair| &pair.value)
}

fn list_items<'n>(node: &'n Node, key: &str) -> &'n [Node] {
    let Some(field) = node.get(key) else { return &[] };
    if field.entries().is_empty() { field.items() } else { std::slice::from_ref(field) }
}
