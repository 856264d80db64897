//! Where something stands in a manifest: [`Place`], and [`At`], the way down to it.
//!
//! Owns the naming of fields while walking, so that a place keeps its true path even where the text
//! does not show it: below aliases and merge keys, and for fields that are absent.

use crate::finding::FieldPath;
use crate::graph::natural_key;
use crate::source::Span;
use crate::syntax::tree::{Node, Value};

/// A field of a manifest and the text that stands for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The text to underline.
    pub span: Span,
    /// The field.
    pub path: FieldPath,
}

impl Place {
    /// Underlines another text for the same field.
    pub fn underline(self, span: Span) -> Self {
        Self { span, ..self }
    }
}

/// A path under construction.
#[derive(Clone, Debug, Default)]
pub(super) struct Trail {
    field: String,
    pointer: String,
    /// Lengths of both before each step.
    steps: Vec<(usize, usize)>,
}

impl Trail {
    /// Steps into a key.
    pub(super) fn key(&mut self, key: &str) {
        self.steps.push((self.field.len(), self.pointer.len()));
        if !self.field.is_empty() {
            self.field.push('.');
        }
        self.field.push_str(key);
        self.pointer.push('/');
        self.pointer.push_str(&key.replace('~', "~0").replace('/', "~1"));
    }

    /// Steps into an item of the list that stands under `list`.
    pub(super) fn item(&mut self, list: &str, index: usize, item: &Node) {
        self.steps.push((self.field.len(), self.pointer.len()));
        let name = natural_key(list, item).unwrap_or_else(|| index.to_string());
        self.field.push_str(&format!("[{name}]"));
        self.pointer.push_str(&format!("/{index}"));
    }

    /// Steps back.
    pub(super) fn back(&mut self) {
        if let Some((field, pointer)) = self.steps.pop() {
            self.field.truncate(field);
            self.pointer.truncate(pointer);
        }
    }

    /// Makes a place of the path so far.
    pub(super) fn place(&self, span: Span) -> Place {
        let path = FieldPath { field: self.field.clone(), pointer: self.pointer.clone() };
        Place { span, path }
    }
}

/// A node of a manifest that knows its path.
#[derive(Clone, Debug)]
pub struct At<'m> {
    /// The value.
    pub node: &'m Node,
    key_span: Option<Span>,
    name: &'m str,
    trail: Trail,
}

impl<'m> At<'m> {
    /// Starts at the root of an object.
    pub fn root(node: &'m Node) -> Self {
        Self { node, key_span: None, name: "", trail: Trail::default() }
    }

    /// Steps into a key that is there and not null.
    pub fn get(&self, key: &str) -> Option<Self> {
        let entry = self.node.entry(key).filter(|entry| entry.node.value != Value::Null)?;
        let mut trail = self.trail.clone();
        trail.key(key);
        Some(Self { node: &entry.node, key_span: Some(entry.key_span), name: &entry.key, trail })
    }

    /// Follows keys downwards.
    pub fn at(&self, path: &[&str]) -> Option<Self> {
        path.iter().try_fold(self.clone(), |at, key| at.get(key))
    }

    /// Returns the items of a list.
    pub fn items(&self) -> Vec<Self> {
        let step = |(index, item): (usize, &'m Node)| {
            let mut trail = self.trail.clone();
            trail.item(self.name, index, item);
            Self { node: item, key_span: None, name: "", trail }
        };
        self.node.items().iter().enumerate().map(step).collect()
    }

    /// Returns the items of the list under a key, none if there is no list.
    pub fn list(&self, key: &str) -> Vec<Self> {
        self.get(key).map(|list| list.items()).unwrap_or_default()
    }

    /// Returns the keys and values of a map.
    pub fn entries(&self) -> Vec<(&'m str, Self)> {
        let keys = self.node.entries().iter().map(|entry| &*entry.key);
        keys.filter_map(|key| Some((key, self.get(key)?))).collect()
    }

    /// Returns the text of a string.
    pub fn str(&self) -> Option<&'m str> {
        self.node.as_str()
    }

    /// Returns the text of the string under a key.
    pub fn text(&self, key: &str) -> Option<&'m str> {
        self.node.get(key)?.as_str()
    }

    /// Returns the whole number that is written as one.
    pub fn int(&self) -> Option<i64> {
        if let Value::Int(number) = self.node.value { Some(number) } else { None }
    }

    /// Returns the span of the key.
    pub fn key_span(&self) -> Span {
        self.key_span.unwrap_or(self.node.span)
    }

    /// Returns the place of the value; that of the key where the value is empty or long.
    pub fn place(&self) -> Place {
        let span = match (&self.node.value, self.key_span) {
            (Value::Map(_) | Value::List(_), Some(key)) => key,
            (_, Some(key)) if self.node.span.is_empty() => key,
            (Value::Map(entries), None) => {
                entries.first().map_or(self.node.span, |entry| entry.key_span)
            }
            _ => self.node.span,
        };
        self.trail.place(span)
    }

    /// Returns the place of a key.
    pub fn key_place(&self) -> Place {
        self.trail.place(self.key_span())
    }

    /// Returns the place that stands for a key that is not there.
    pub fn missing(&self, key: &str) -> Place {
        let mut trail = self.trail.clone();
        trail.key(key);
        trail.place(self.place().span)
    }
}
