//! [`NodePath`]: the path from the root of an object to a node, for trees whose nodes keep it.
//!
//! Owns the natural keys of lists and the places of fields ([`FieldPlace`]). A span leads back
//! to its field by itself as long as every field has text of its own; in a manifest it may not: below
//! aliases and merge keys text is shared, and what the API server fills in has none. There the tree is
//! traced ([`Node::traced`]), and everything that is read from it keeps its true path.

use std::iter::successors;
use std::sync::Arc;

use smol_str::SmolStr;

use super::tree::{Entry, Node, Value};
use crate::kube::field_path::FieldPath;
use crate::source::Span;

/// Returns the name by which people call an item of a list.
pub fn natural_key<'n>(list_name: &str, item: &'n Node) -> Option<&'n str> {
    let keys: &[&str] = match list_name {
        "conditions" | "agentStatus" => &["type"],
        "beforeStageTaskStatus"
        | "afterStageTaskStatus"
        | "beforeStageTasks"
        | "afterStageTasks" => &["type"],
        "observedDrifts" | "observedDiffs" | "jsonPatchOverrides" => &["path"],
        "taints" | "tolerations" | "matchExpressions" => &["key"],
        "stagesStatus" => &["stageName"],
        _ => &["clusterName", "stageName", "name"],
    };
    let named = keys.iter().find_map(|key| item.get(key)?.as_str());
    named.filter(|name| !name.is_empty())
}

/// A field of an object and the text that stands for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldPlace {
    /// The text to underline.
    pub span: Span,
    /// The field.
    pub path: FieldPath,
}

impl FieldPlace {
    /// Underlines another text for the same field.
    pub fn underline(self, span: Span) -> Self {
        Self { span, ..self }
    }
}

/// Returns the text that stands for a value: that of its key where the value is empty or long.
pub fn underlined(node: &Node, key_span: Option<Span>) -> Span {
    match (&node.value, key_span) {
        (Value::Map(_) | Value::List(_), Some(key)) => key,
        (_, Some(key)) if node.span.is_empty() => key,
        (Value::Map(entries), None) => entries.first().map_or(node.span, |entry| entry.key_span),
        _ => node.span,
    }
}

/// The way to a node, and what stands there.
#[derive(Debug, PartialEq, Eq)]
pub struct NodePath {
    step: Step,
    /// The text that stands for the node.
    span: Span,
    key_span: Option<Span>,
    /// The keys of a map that have a value, of whatever type; `None` where something else stands in the place of a map.
    keys: Option<Box<[SmolStr]>>,
    /// Whether it is a map or list with nothing in it.
    empty: bool,
    before: Option<Arc<Self>>,
}

#[derive(Debug, PartialEq, Eq)]
enum Step {
    Root,
    Key(SmolStr),
    Item { index: usize, name: Option<SmolStr> },
}

impl NodePath {
    /// Returns the place of the node.
    pub fn place(&self) -> FieldPlace {
        FieldPlace { span: self.span, path: self.path() }
    }

    /// Returns the place of the node's key.
    pub fn key_place(&self) -> FieldPlace {
        FieldPlace { span: self.key_span.unwrap_or(self.span), path: self.path() }
    }

    /// Returns the place that stands for a key that is not there.
    pub fn missing(&self, key: &str) -> FieldPlace {
        let mut path = self.path();
        path.push_key(key);
        FieldPlace { span: self.span, path }
    }

    /// Says whether a key has a value, be it of a wrong type.
    pub fn has_key(&self, key: &str) -> bool {
        self.keys.iter().flatten().any(|name| **name == *key)
    }

    /// Says whether the node can lack a key: it is a map, or empty.
    pub fn may_lack(&self, key: &str) -> bool {
        self.keys.is_some() && !self.has_key(key)
    }

    /// Says whether nothing is in the node.
    pub fn is_empty(&self) -> bool {
        self.empty
    }

    /// Returns the node that holds this one.
    pub fn parent(&self) -> Option<&Arc<Self>> {
        self.before.as_ref()
    }

    /// Spells the path from the root.
    pub fn path(&self) -> FieldPath {
        let mut ways: Vec<&Self> = successors(Some(self), |way| way.before.as_deref()).collect();
        ways.reverse();
        let mut path = FieldPath::default();
        for way in ways {
            match &way.step {
                Step::Root => {}
                Step::Key(key) => path.push_key(key),
                Step::Item { index, name } => path.push_item(*index, name.as_deref()),
            }
        }
        path
    }
}

impl Node {
    /// Lets every node of the tree know the way to it from here.
    pub fn traced(mut self) -> Self {
        trace(&mut self, Step::Root, None, None, "");
        self
    }
}

fn trace(
    node: &mut Node,
    step: Step,
    key_span: Option<Span>,
    before: Option<&Arc<NodePath>>,
    name: &str,
) {
    let there = |entry: &&Entry| entry.node.value != Value::Null;
    let keys = node.entries().iter().filter(there).map(|entry| entry.key.clone()).collect();
    let keys = Some(keys).filter(|_| matches!(node.value, Value::Map(_) | Value::Null));
    let span = underlined(node, key_span);
    let empty = node.is_empty();
    let way = Arc::new(NodePath { step, span, key_span, keys, empty, before: before.cloned() });
    match &mut node.value {
        Value::Map(entries) => entries.iter_mut().for_each(|Entry { key, key_span, node }| {
            trace(node, Step::Key(key.clone()), Some(*key_span), Some(&way), key);
        }),
        Value::List(items) => items.iter_mut().enumerate().for_each(|(index, item)| {
            let called = natural_key(name, item).map(Into::into);
            trace(item, Step::Item { index, name: called }, None, Some(&way), "");
        }),
        _ => {}
    }
    node.way = Some(way);
}
