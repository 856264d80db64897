//! From a span to the object and field it stands in.

use super::Graph;
use crate::model::key::ObjectKey;
use crate::source::Span;
use crate::syntax::tree::{Node, Value};

/// The object and field under a span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    /// The object.
    pub key: ObjectKey,
    /// The path for people: list items by their natural key.
    pub field: String,
    /// The path for programs: RFC 6901, list items by index.
    pub pointer: String,
}

/// Something that knows which object and field stand under a span.
pub trait Locate {
    /// Finds the object and field that a span stands in.
    fn locate(&self, span: Span) -> Option<Located>;
}

impl Located {
    /// Names the field of an object's tree that a span stands in.
    pub fn within(key: &ObjectKey, root: &Node, span: Span) -> Self {
        let mut path = Path::default();
        path.descend(root, span, "");
        Self { key: key.clone(), field: path.field, pointer: path.pointer }
    }
}

impl Locate for Graph {
    fn locate(&self, span: Span) -> Option<Located> {
        Self::locate(self, span)
    }
}

impl Graph {
    /// Finds the object and field that a span stands in.
    pub fn locate(&self, span: Span) -> Option<Located> {
        let after = self
            .places
            .partition_point(|meta| (meta.span.source, meta.span.lo) <= (span.source, span.lo));
        let meta =
            self.places.get(..after)?.iter().rev().take(8).find(|meta| meta.span.contains(span))?;
        Some(Located::within(&meta.key, &meta.root, span))
    }
}

#[derive(Default)]
struct Path {
    field: String,
    pointer: String,
}

impl Path {
    fn descend(&mut self, node: &Node, span: Span, list_name: &str) {
        match &node.value {
            Value::Map(entries) => {
                let inside = |entry: &&crate::syntax::tree::Entry| {
                    entry.node.span.contains(span)
                        || entry.key_span.contains(span)
                        || entry.span() == span
                };
                let Some(entry) = entries.iter().find(inside) else { return };
                if !self.field.is_empty() {
                    self.field.push('.');
                }
                self.field.push_str(&entry.key);
                self.pointer.push('/');
                self.pointer.push_str(&entry.key.replace('~', "~0").replace('/', "~1"));
                self.descend(&entry.node, span, &entry.key);
            }
            Value::List(items) => {
                let found = items.iter().enumerate().find(|(_, item)| item.span.contains(span));
                let Some((index, item)) = found else { return };
                let name = natural_key(list_name, item).unwrap_or_else(|| index.to_string());
                self.field.push_str(&format!("[{name}]"));
                self.pointer.push_str(&format!("/{index}"));
                self.descend(item, span, list_name);
            }
            _ => {}
        }
    }
}

/// Returns the name by which people call an item of a list.
pub fn natural_key(list_name: &str, item: &Node) -> Option<String> {
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
    named.filter(|name| !name.is_empty()).map(str::to_owned)
}
