//! The one tree that YAML, JSON, `kubectl describe` and table rows become.
//!
//! Owns [`Node`] and walking it. Every key and value knows its byte range; a node that was guessed
//! or cut says so in its [`Fidelity`]. It does not know what any field means.
//! Invariant: a child's span lies inside its parent's span.

use std::sync::Arc;

use smol_str::SmolStr;

pub use super::entries::Entries;
use super::node_path::NodePath;
use crate::kube::field_path::steps;
use crate::source::{Span, Spanned};

/// How far a node can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Fidelity {
    /// The text says so.
    #[default]
    Read,
    /// Nothing tells whether it goes on behind the end of the text.
    Open,
    /// Structure or type was inferred (list borders of describe text, re-cased keys, lost nesting).
    Inferred,
    /// Part of it is missing (`...`, end of file, a cut table cell): absence proves nothing.
    Cut,
}

/// How a scalar was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Style {
    /// Bare text: the characters under the span are the value.
    #[default]
    Plain,
    /// Quoted, folded over lines or escaped: the value differs from the characters under the span.
    Encoded,
}

/// A value with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The bytes of the value; for a map or list from its first to its last child.
    pub span: Span,
    /// The value.
    pub value: Value,
    /// How a scalar was written.
    pub style: Style,
    /// How far to trust it.
    pub fidelity: Fidelity,
    /// The way to it from the root, in a tree that was traced.
    pub way: Option<Arc<NodePath>>,
}

/// What a node holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `null`, `~`, `<nil>` or nothing.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A whole number above `i64::MAX`.
    BigInt(u64),
    /// Any other number.
    Float(f64),
    /// Text.
    String(SmolStr),
    /// Keys in file order; a duplicate key keeps its first value here and is reported as a problem.
    Map(Entries),
    /// Items in file order.
    List(Vec<Node>),
}

/// One key of a map and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The key as a field name (describe labels are turned back).
    pub key: SmolStr,
    /// Where the key stands.
    pub key_span: Span,
    /// Its value.
    pub node: Node,
}

impl Entry {
    /// Returns the span from the key to the end of its value.
    pub fn span(&self) -> Span {
        if self.key_span.source == self.node.span.source {
            self.key_span.to(self.node.span)
        } else {
            self.key_span
        }
    }
}

impl Node {
    /// Makes a trusted plain node.
    pub fn new(span: Span, value: Value) -> Self {
        Self { span, value, style: Style::Plain, fidelity: Fidelity::Read, way: None }
    }

    /// Copies how it was written, and where, but not the value, which becomes null.
    pub(crate) fn clone_shell(&self) -> Self {
        let (style, fidelity) = (self.style, self.fidelity);
        Self { style, fidelity, ..Self::new(self.span, Value::Null) }
    }

    /// Sets the fidelity.
    pub fn with_fidelity(mut self, fidelity: Fidelity) -> Self {
        self.fidelity = fidelity;
        self
    }

    /// Returns the entries of a map, or none for anything else.
    pub fn entries(&self) -> &[Entry] {
        if let Value::Map(entries) = &self.value { entries } else { &[] }
    }

    /// Returns the items of a list, or none for anything else.
    pub fn items(&self) -> &[Self] {
        if let Value::List(items) = &self.value { items } else { &[] }
    }

    /// Finds an entry of a map by its key.
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries().iter().find(|entry| &*entry.key == key)
    }

    /// Finds the value of a key.
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.entry(key).map(|entry| &entry.node)
    }

    /// Finds the value of a key, to change it.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Self> {
        let Value::Map(entries) = &mut self.value else { return None };
        entries.iter_mut().find(|entry| &*entry.key == key).map(|entry| &mut entry.node)
    }

    /// Follows keys downwards.
    pub fn at<'n>(&'n self, path: &[&str]) -> Option<&'n Self> {
        path.iter().try_fold(self, |node, key| node.get(key))
    }

    /// Finds a value by its JSON pointer.
    pub fn find(&self, pointer: &str) -> Option<&Self> {
        steps(pointer).try_fold(self, |node, step| match &node.value {
            Value::List(items) => items.get(step.parse::<usize>().ok()?),
            _ => node.get(&step),
        })
    }

    /// Returns the text of a string.
    pub fn as_str(&self) -> Option<&str> {
        if let Value::String(text) = &self.value { Some(text) } else { None }
    }

    /// Returns a whole number; text that holds one counts too, since describe text has no types.
    pub fn as_i64(&self) -> Option<i64> {
        match &self.value {
            Value::Int(number) => Some(*number),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        }
    }

    /// Returns a truth value; the text `true` or `false` counts too.
    pub fn as_bool(&self) -> Option<bool> {
        match &self.value {
            Value::Bool(truth) => Some(*truth),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        }
    }

    /// Says whether there is nothing here: null, or an empty map or list.
    pub fn is_empty(&self) -> bool {
        match &self.value {
            Value::Null => true,
            Value::Map(entries) => entries.is_empty(),
            Value::List(items) => items.is_empty(),
            _ => false,
        }
    }

    /// Returns the scalar as text with its place: strings as they are, numbers and truth values printed.
    pub fn text(&self) -> Option<Spanned<SmolStr>> {
        let text: SmolStr = match &self.value {
            Value::String(text) => text.clone(),
            Value::Bool(truth) => truth.to_string().into(),
            Value::Int(number) => number.to_string().into(),
            Value::BigInt(number) => number.to_string().into(),
            Value::Float(number) => number.to_string().into(),
            Value::Null | Value::Map(_) | Value::List(_) => return None,
        };
        Some(Spanned::new(text, self.span))
    }

    /// Calls `visit` for this node and all below it, parents first.
    pub fn walk<'n>(&'n self, visit: &mut dyn FnMut(&'n Self)) {
        visit(self);
        match &self.value {
            Value::Map(entries) => entries.iter().for_each(|entry| entry.node.walk(visit)),
            Value::List(items) => items.iter().for_each(|item| item.walk(visit)),
            _ => {}
        }
    }

    /// Says whether two trees hold the same values, whatever their place and style; key order does not count.
    pub fn has_value_of(&self, other: &Self) -> bool {
        match (&self.value, &other.value) {
            (Value::Map(entries), Value::Map(others)) => {
                let twin = |entry: &Entry| {
                    other.get(&entry.key).is_some_and(|other| entry.node.has_value_of(other))
                };
                entries.len() == others.len() && entries.iter().all(twin)
            }
            (Value::List(items), Value::List(others)) => {
                items.len() == others.len()
                    && items.iter().zip(others).all(|(item, other)| item.has_value_of(other))
            }
            (left, right) => left == right,
        }
    }

    /// Returns the least trusted fidelity in this subtree.
    pub fn worst_fidelity(&self) -> Fidelity {
        let mut worst = Fidelity::Read;
        self.walk(&mut |node| worst = worst.max(node.fidelity));
        worst
    }
}
