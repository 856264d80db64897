//! [`Cursor`]: walks the tree of a manifest by keys, for what has no typed reader.
//!
//! Owns the naming of fields while walking, so that a place keeps its true path even where the text
//! does not show it: below aliases and merge keys, and for fields that are absent.

use std::cell::OnceCell;
use std::iter::successors;
use std::rc::Rc;

use crate::kube::field_path::FieldPath;
use crate::source::Span;
use crate::syntax::node_path::{FieldPlace, natural_key, underlined};
use crate::syntax::tree::{Entry, Node, Value};

/// One step downwards. It is put into words only where a path is asked for.
#[derive(Clone, Copy, Debug)]
enum Step<'m> {
    /// Into a key.
    Key(&'m str),
    /// Into an item of the list that stands under a key.
    Item { list: &'m str, index: usize, item: &'m Node },
}

/// Adds a step to a path; `name` tells how people call the item.
fn spell<'m>(
    path: &mut FieldPath,
    step: &Step<'m>,
    name: impl FnOnce(&str, &'m Node) -> Option<&'m str>,
) {
    match step {
        Step::Key(key) => path.push_key(key),
        Step::Item { list, index, item } => path.push_item(*index, name(list, item)),
    }
}

/// A path under construction.
#[derive(Clone, Debug, Default)]
pub(super) struct PathBuilder<'m>(Vec<Named<'m>>);

/// A step, and the name of its item once somebody asked: thousands of faults of one item look for it once.
#[derive(Clone, Debug)]
struct Named<'m> {
    step: Step<'m>,
    name: OnceCell<Option<&'m str>>,
}

impl<'m> From<Step<'m>> for Named<'m> {
    fn from(step: Step<'m>) -> Self {
        Self { step, name: OnceCell::new() }
    }
}

impl<'m> PathBuilder<'m> {
    /// Steps into a key.
    pub(super) fn key(&mut self, key: &'m str) {
        self.0.push(Step::Key(key).into());
    }

    /// Steps into an item of the list that stands under `list`.
    pub(super) fn item(&mut self, list: &'m str, index: usize, item: &'m Node) {
        self.0.push(Step::Item { list, index, item }.into());
    }

    /// Leaves the field that was entered last.
    pub(super) fn back(&mut self) {
        self.0.pop();
    }

    /// Makes a place of the path so far.
    pub(super) fn place(&self, span: Span) -> FieldPlace {
        let mut path = FieldPath::default();
        for Named { step, name } in &self.0 {
            spell(&mut path, step, |list, item| *name.get_or_init(|| natural_key(list, item)));
        }
        FieldPlace { span, path }
    }
}

/// A node of a manifest that knows its path.
#[derive(Clone, Debug)]
pub struct Cursor<'m> {
    /// The value.
    pub node: &'m Node,
    key_span: Option<Span>,
    name: &'m str,
    way: Option<Rc<Way<'m>>>,
}

/// The way to a node from its parent, which the nodes beside it share.
#[derive(Debug)]
struct Way<'m> {
    step: Step<'m>,
    before: Option<Rc<Self>>,
}

impl<'m> Cursor<'m> {
    /// Starts at the root of an object.
    pub fn root(node: &'m Node) -> Self {
        Self { node, key_span: None, name: "", way: None }
    }

    /// Steps into a key that is there and not null.
    pub fn get(&self, key: &str) -> Option<Self> {
        let entry = self.node.entry(key).filter(|entry| entry.node.value != Value::Null)?;
        Some(self.below(entry))
    }

    /// Says whether a key is there, be it null.
    pub fn has_key(&self, key: &str) -> bool {
        self.node.entry(key).is_some()
    }

    fn below(&self, entry: &'m Entry) -> Self {
        let way = self.step(Step::Key(&entry.key));
        Self { node: &entry.node, key_span: Some(entry.key_span), name: &entry.key, way }
    }

    /// Follows keys downwards.
    pub fn at(&self, path: &[&str]) -> Option<Self> {
        path.iter().try_fold(self.clone(), |at, key| at.get(key))
    }

    /// Returns the items of a list.
    pub fn items(&self) -> Vec<Self> {
        let step = |(index, item): (usize, &'m Node)| {
            let way = self.step(Step::Item { list: self.name, index, item });
            Self { node: item, key_span: None, name: "", way }
        };
        self.node.items().iter().enumerate().map(step).collect()
    }

    /// Returns the items of the list under a key, none if there is no list.
    pub fn list(&self, key: &str) -> Vec<Self> {
        self.get(key).map(|list| list.items()).unwrap_or_default()
    }

    /// Returns the keys and values of a map.
    pub fn entries(&self) -> Vec<(&'m str, Self)> {
        let there = self.node.entries().iter().filter(|entry| entry.node.value != Value::Null);
        there.map(|entry| (&*entry.key, self.below(entry))).collect()
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

    /// Returns the JSON pointer.
    pub fn pointer(&self) -> String {
        self.path(None).pointer
    }

    /// Returns the span of the key.
    pub fn key_span(&self) -> Span {
        self.key_span.unwrap_or(self.node.span)
    }

    /// Returns the place of the value; that of the key where the value is empty or long.
    pub fn place(&self) -> FieldPlace {
        let span = underlined(self.node, self.key_span);
        FieldPlace { span, path: self.path(None) }
    }

    /// Returns the place of a key.
    pub fn key_place(&self) -> FieldPlace {
        FieldPlace { span: self.key_span(), path: self.path(None) }
    }

    /// Returns the place that stands for a key that is not there.
    pub fn missing(&self, key: &str) -> FieldPlace {
        FieldPlace { span: self.place().span, path: self.path(Some(key)) }
    }

    fn step(&self, step: Step<'m>) -> Option<Rc<Way<'m>>> {
        Some(Rc::new(Way { step, before: self.way.clone() }))
    }

    /// Spells the path to the node, or to a key below it.
    fn path(&self, key: Option<&str>) -> FieldPath {
        let ways = successors(self.way.as_deref(), |way| way.before.as_deref());
        let mut steps: Vec<Step<'_>> = ways.map(|way| way.step).collect();
        steps.reverse();
        steps.extend(key.map(Step::Key));
        let mut path = FieldPath::default();
        steps.iter().for_each(|step| spell(&mut path, step, natural_key));
        path
    }
}
