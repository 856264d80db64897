//! From a span to the object and field it stands in.

use super::Graph;
use crate::kube::field_path::FieldPath;
use crate::model::event::Event;
use crate::model::key::ObjectKey;
use crate::source::Span;
use crate::syntax::node_path::natural_key;
use crate::syntax::tree::{Entry, Node, Value};

/// The object and field under a span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    /// The object.
    pub key: ObjectKey,
    /// The field.
    pub path: FieldPath,
}

/// Something that knows which object and field stand under a span.
pub trait Locate {
    /// Finds the object and field that a span stands in.
    fn locate(&self, span: Span) -> Option<Located>;
}

impl Located {
    /// Names the field of an object's tree that a span stands in.
    pub fn within(key: &ObjectKey, root: &Node, span: Span) -> Self {
        Self { key: key.clone(), path: field_under(root, span) }
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
        let after =
            self.places.partition_point(|(own, _)| (own.source, own.lo) <= (span.source, span.lo));
        let mut near = self.places.get(..after)?.iter().rev().take(8);
        let (_, meta) = near.find(|(own, _)| own.contains(span))?;
        let mut found = Located::within(&meta.key, &meta.root, span);
        // A row of a table of events has no name of its own: it speaks of the object that it names.
        if found.key.name.is_empty()
            && let Some(event) = Event::read(meta)
        {
            found.key = event.about;
        }
        Some(found)
    }
}

/// Names the field of a tree that a span stands in.
pub fn field_under(root: &Node, span: Span) -> FieldPath {
    let mut path = FieldPath::default();
    descend(&mut path, root, span, "");
    path
}

/// Steps down to the field that a span stands in.
///
/// Where keys and items stand in the order of their file the first look is the right one; a list of ten thousand
/// clusters is not walked for each finding.
fn descend(path: &mut FieldPath, node: &Node, span: Span, list_name: &str) {
    match &node.value {
        Value::Map(entries) => {
            let inside = |entry: &&Entry| {
                entry.node.span.contains(span)
                    || entry.key_span.contains(span)
                    || entry.span() == span
            };
            let at = entries.partition_point(|entry| entry.key_span.lo <= span.lo);
            let near = at.checked_sub(1).and_then(|at| entries.get(at)).filter(inside);
            let Some(entry) = near.or_else(|| entries.iter().find(inside)) else { return };
            path.push_key(&entry.key);
            descend(path, &entry.node, span, &entry.key);
        }
        Value::List(items) => {
            let at = items.partition_point(|item| item.span.lo <= span.lo);
            let near = at.checked_sub(1).and_then(|at| Some((at, items.get(at)?)));
            let inside = |(_, item): &(usize, &Node)| item.span.contains(span);
            let found = near.filter(inside).or_else(|| items.iter().enumerate().find(inside));
            let Some((index, item)) = found else { return };
            path.push_item(index, natural_key(list_name, item));
            descend(path, item, span, list_name);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceId;

    fn entry(key: &str, at: usize) -> Entry {
        let span = |lo, hi| Span::new(SourceId(0), lo, hi);
        let node = Node::new(span(at + 2, at + 3), Value::Int(1));
        Entry { key: key.into(), key_span: span(at, at + 1), node }
    }

    #[test]
    fn a_field_is_found_in_and_out_of_order() {
        for order in [[0, 10, 20], [20, 0, 10], [10, 20, 0]] {
            let entries = order.map(|at| entry(&format!("k{at}"), at)).to_vec();
            let root = Node::new(Span::new(SourceId(0), 0, 30), Value::Map(entries.into()));
            for at in order {
                for (lo, hi) in [(at, at + 1), (at + 2, at + 3), (at, at + 3)] {
                    let found = field_under(&root, Span::new(SourceId(0), lo, hi));
                    assert_eq!(found.field, format!("k{at}"), "{order:?}");
                }
            }
        }
    }
}
