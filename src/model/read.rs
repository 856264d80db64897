//! Reading leaves out of nodes: the small vocabulary that every family file uses.
//!
//! Owns [`Text`], the leaf; [`Site`], the place of anything else; [`List`]; and the `read_*` functions.
//! A missing or misshapen field is `None`; [`Site::absent`] tells the two apart.
//!
//! The same readers serve captures and manifests. A capture has lost types and lists on its way (describe
//! text, tables), so its leaves are read leniently; a manifest is a traced tree ([`Node::traced`]), whose
//! leaves count only if they have the type that the API server asks for, and know their path.

use std::ops::Deref;
use std::sync::Arc;

use jiff::Timestamp;
use smol_str::SmolStr;

use crate::kube::time::read_timestamp;
use crate::source::{Span, Spanned};
use crate::syntax::node_path::{FieldPlace, NodePath};
use crate::syntax::tree::{Fidelity, Node, Style, Value};

/// Says whether the text breaks off inside a field.
pub(super) fn is_cut(node: Option<&Node>, key: &str) -> bool {
    node.and_then(|node| node.get(key)).is_some_and(|found| found.fidelity == Fidelity::Cut)
}

/// A piece of text with its place, and how it was written there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The value.
    pub value: SmolStr,
    /// Where it stands.
    pub span: Span,
    /// Whether the characters under the span are the value.
    pub style: Style,
    /// How far to trust it.
    pub fidelity: Fidelity,
    /// Whether it was written as a whole number.
    pub is_int: bool,
    pub(super) way: Option<Arc<NodePath>>,
}

/// A value that may be absent, and then something else is pointed at.
pub trait SpanOr {
    /// Returns where it stands, or another place if it is absent.
    fn span_or(&self, other: Span) -> Span;
}

impl SpanOr for Option<Text> {
    fn span_or(&self, other: Span) -> Span {
        self.as_ref().map_or(other, |text| text.span)
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        *self.value == **other
    }
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
        let is_int = matches!(node.value, Value::Int(_));
        let (style, fidelity, way) = (node.style, node.fidelity, node.way.clone());
        Some(Self { value, span, style, fidelity, is_int, way })
    }

    /// Returns where it stands.
    pub fn site(&self) -> Site {
        Site { span: self.span, way: self.way.clone() }
    }

    /// Returns the field and the text to underline for it.
    pub fn place(&self) -> FieldPlace {
        self.site().place()
    }

    /// Returns the JSON pointer of the field.
    pub fn pointer(&self) -> String {
        self.place().path.pointer
    }

    /// Says whether the API server fills it in, so that no text of the manifest says it.
    pub fn is_default(&self) -> bool {
        self.way.is_some() && self.fidelity == Fidelity::Inferred
    }

    /// Says whether it is a whole number; a manifest has to write it as one, a capture may have lost its type.
    pub fn is_whole_number(&self) -> bool {
        self.is_int || (self.way.is_none() && self.value.parse::<i64>().is_ok())
    }

    /// Returns the number that was written as one.
    pub fn int(&self) -> Option<i64> {
        self.value.parse().ok().filter(|_| self.is_int)
    }
}

/// Where a part of an object stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The text of the part; for a map or list from its first to its last child.
    pub span: Span,
    way: Option<Arc<NodePath>>,
}

impl Site {
    /// Returns where a node stands.
    pub fn of(node: &Node) -> Self {
        Self { span: node.span, way: node.way.clone() }
    }

    /// Returns the field and the text to underline for it. Of a capture the text alone is known; which
    /// field it is, is looked up from the span.
    pub fn place(&self) -> FieldPlace {
        let untraced = || FieldPlace { span: self.span, path: Default::default() };
        self.way.as_ref().map_or_else(untraced, |way| way.place())
    }

    /// Returns the field and the text of its key.
    pub fn key_place(&self) -> FieldPlace {
        self.way.as_ref().map_or_else(|| self.place(), |way| way.key_place())
    }

    /// Returns the JSON pointer.
    pub fn pointer(&self) -> String {
        self.place().path.pointer
    }

    /// Says whether a map or list stands there with nothing in it; of a capture nothing is known.
    pub fn is_empty(&self) -> bool {
        self.way.as_ref().is_some_and(|way| way.is_empty())
    }

    /// Says whether something surely stands there, be it unreadable; of a capture nothing is known.
    pub fn holds_something(&self) -> bool {
        self.way.as_ref().is_some_and(|way| !way.is_empty())
    }

    /// Returns the place that stands for a key below this one, whether it is there or not.
    pub fn missing(&self, key: &str) -> FieldPlace {
        self.way.as_ref().map_or_else(|| self.place(), |way| way.missing(key))
    }

    /// Returns the place that stands for a key below this one which is not there. It is `None` where
    /// the key is there in whatever form or the map is none (then the check of the shape speaks, and nobody else), and in a
    /// capture, where an absent key may have been cut.
    pub fn absent(&self, key: &str) -> Option<FieldPlace> {
        let way = self.way.as_ref().filter(|way| way.may_lack(key))?;
        Some(way.missing(key))
    }
}

/// The items of a list, with the place of the list itself.
#[derive(Clone, Debug)]
pub struct List<T> {
    /// Where the list stands; `None` if there is no list.
    pub site: Option<Site>,
    items: Vec<T>,
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self { site: None, items: Vec::new() }
    }
}

impl<T> Deref for List<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<'l, T> IntoIterator for &'l List<T> {
    type Item = &'l T;
    type IntoIter = std::slice::Iter<'l, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

/// A user-defined pair: label, annotation, property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The key.
    pub key: SmolStr,
    /// Where the key stands.
    pub key_span: Span,
    /// The value.
    pub value: Text,
}

/// Reads a text field.
pub fn read_text(node: &Node, key: &str) -> Option<Text> {
    text_of(node.get(key)?)
}

/// Reads a field that may be a number or a text, like `1` and `25%`.
pub fn read_scalar(node: &Node, key: &str) -> Option<Text> {
    Text::of(node.get(key)?)
}

/// Reads a node as text.
pub fn text_of(node: &Node) -> Option<Text> {
    let strict = node.way.is_some();
    Text::of(node).filter(|_| !strict || matches!(node.value, Value::String(_)))
}

/// Reads a whole number.
pub fn read_int(node: &Node, key: &str) -> Option<Spanned<i64>> {
    let field = node.get(key)?;
    let typed = field.way.is_none() || matches!(field.value, Value::Int(_));
    Some(Spanned::new(field.as_i64().filter(|_| typed)?, field.span))
}

/// Reads a truth value.
pub fn read_bool(node: &Node, key: &str) -> Option<Spanned<bool>> {
    let field = node.get(key)?;
    let typed = field.way.is_none() || matches!(field.value, Value::Bool(_));
    Some(Spanned::new(field.as_bool().filter(|_| typed)?, field.span))
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

/// Reads the items of a list field, and where the list stands.
pub fn read_sited<T>(node: &Node, key: &str, read: impl Fn(&Node) -> T) -> List<T> {
    List { site: read_site(node, key), items: read_list(node, key, read) }
}

/// Reads the items of a list field for which `read` gives a value.
pub fn read_some<T>(node: &Node, key: &str, read: impl Fn(&Node) -> Option<T>) -> Vec<T> {
    some_of(list_items(node, key), read)
}

/// Collects what `read` gives; nearly always that is all, so there is room for as many and no more.
fn some_of<N, T>(nodes: &[N], read: impl Fn(&N) -> Option<T>) -> Vec<T> {
    let mut found = Vec::with_capacity(nodes.len());
    found.extend(nodes.iter().filter_map(read));
    found
}

/// Reads where a field stands that has a value, be it of a wrong type.
pub fn read_site(node: &Node, key: &str) -> Option<Site> {
    node.get(key).filter(|field| field.value != Value::Null).map(Site::of)
}

/// Reads a list of texts, and where the list stands.
pub fn read_sited_texts(node: &Node, key: &str) -> List<Text> {
    List { site: read_site(node, key), items: read_texts(node, key) }
}

/// Reads a list of texts.
pub fn read_texts(node: &Node, key: &str) -> Vec<Text> {
    read_some(node, key, text_of)
}

/// Reads a map of texts in file order.
pub fn read_pairs(node: &Node, key: &str) -> Vec<Pair> {
    let entries = node.get(key).map(Node::entries).unwrap_or_default();
    let pair = |entry: &crate::syntax::tree::Entry| {
        let value = text_of(&entry.node)?;
        Some(Pair { key: entry.key.clone(), key_span: entry.key_span, value })
    };
    some_of(entries, pair)
}

/// Finds the value of a pair by its key.
pub fn find_pair<'p>(pairs: &'p [Pair], key: &str) -> Option<&'p Text> {
    pairs.iter().find(|pair| &*pair.key == key).map(|pair| &pair.value)
}

/// Returns the items of a list field; a single map counts as a list of one, as describe prints it.
pub(super) fn list_items<'n>(node: &'n Node, key: &str) -> &'n [Node] {
    let Some(field) = node.get(key) else { return &[] };
    let lone = field.way.is_none() && !field.entries().is_empty();
    if lone { std::slice::from_ref(field) } else { field.items() }
}
