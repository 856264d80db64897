//! Building a tree by paths, in the order in which a describer prints.
//!
//! A describer prints what belongs together in YAML at different places (labels before the node
//! name, replicas of spec and status on one line). Owns putting each value where YAML has it.
//! Paths come from the readers, never from the text, so a map here stays small; maps with the text's
//! own keys are made by [`map`].
//! Invariant: after [`DescribeTree::finish`] every container's span covers its children.

use crate::source::Span;
use crate::syntax::describe::open_field::cover;
use crate::syntax::tree::{Entry, Node, Value};

/// A map under construction.
#[derive(Debug, Default)]
pub(super) struct DescribeTree {
    entries: Vec<Entry>,
}

impl DescribeTree {
    /// Puts a value at a path of keys, if there is one; the first value for a path stays.
    pub(super) fn put(&mut self, path: &[&str], key_span: Span, node: Option<Node>) {
        if let Some(node) = node {
            put(&mut self.entries, path, key_span, node);
        }
    }

    /// Returns the tree with its spans; `None` if nothing was put into it.
    pub(super) fn finish(self, empty: Span) -> Option<Node> {
        if self.entries.is_empty() {
            return None;
        }
        let mut node = Node::new(empty, Value::Map(self.entries.into()));
        finish(&mut node);
        Some(node)
    }
}

fn put(entries: &mut Vec<Entry>, path: &[&str], key_span: Span, node: Node) {
    let Some((key, rest)) = path.split_first() else { return };
    let at = entries.iter().position(|entry| &*entry.key == *key);
    match at.and_then(|at| entries.get_mut(at)) {
        Some(Entry { node: Node { value: Value::Map(entries), .. }, .. }) => {
            put(entries, rest, key_span, node);
        }
        Some(_) => {}
        None if rest.is_empty() => entries.push(Entry { key: (*key).into(), key_span, node }),
        None => {
            let mut inner = Vec::new();
            put(&mut inner, rest, key_span, node);
            let node = Node::new(key_span, Value::Map(inner.into()));
            entries.push(Entry { key: (*key).into(), key_span, node });
        }
    }
}

/// Makes a list node over its items; `None` if there are none.
pub(super) fn list(items: Vec<Node>) -> Option<Node> {
    let span = items.iter().map(|item| item.span).reduce(Span::to)?;
    Some(Node::new(span, Value::List(items)))
}

/// Makes a map node over its entries; `None` if there are none.
pub(super) fn map(entries: Vec<Entry>) -> Option<Node> {
    let span = entries.iter().map(Entry::span).reduce(Span::to)?;
    Some(Node::new(span, Value::Map(entries.into())))
}

/// Lets every container cover its children.
fn finish(node: &mut Node) {
    match &mut node.value {
        Value::Map(entries) => {
            entries.iter_mut().for_each(|entry| finish(&mut entry.node));
            node.span = cover(entries.iter().map(Entry::span), node.span);
        }
        Value::List(items) => {
            items.iter_mut().for_each(finish);
            node.span = cover(items.iter().map(|item| item.span), node.span);
        }
        _ => {}
    }
}
