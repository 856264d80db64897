//! What the API server would store: unknown keys and nulls gone, defaults filled in.
//!
//! Rules that look at several fields judge this form, since the server judges it too. A value that
//! was filled in is marked [`Fidelity::Inferred`] and stands at the key around it.

use crate::grammar::schema::{Literal, Schema, Type};
use crate::source::Span;
use crate::syntax::tree::{Entry, Fidelity, Node, Value};

/// Makes the stored form of an object.
pub(super) fn stored(root: &Node, schema: &Schema) -> Node {
    let span = root.entries().first().map_or(root.span, |entry| entry.key_span);
    complete(root, schema, span)
}

fn complete(node: &Node, schema: &Schema, near: Span) -> Node {
    let value = match (&node.value, &schema.ty) {
        (Value::Map(entries), Type::Object(fields)) => {
            let mut kept: Vec<Entry> = Vec::with_capacity(entries.len());
            for entry in entries.iter().filter(|entry| entry.node.value != Value::Null) {
                match schema.field(&entry.key) {
                    Some(field) => kept.push(with(entry, &field.schema)),
                    None if schema.open => kept.push(entry.clone()),
                    None => {}
                }
            }
            for field in fields {
                let Some(default) = &field.schema.default else { continue };
                if !kept.iter().any(|entry| *entry.key == *field.name) {
                    let node = Node::new(near, value_of(default));
                    let node = node.with_fidelity(Fidelity::Inferred);
                    kept.push(Entry { key: (&*field.name).into(), key_span: near, node });
                }
            }
            Value::Map(kept.into())
        }
        (Value::Map(entries), Type::Map(item)) => {
            let present = entries.iter().filter(|entry| entry.node.value != Value::Null);
            Value::Map(present.map(|entry| with(entry, item)).collect())
        }
        (Value::List(items), Type::List(item)) => {
            let start = |item: &Node| item.entries().first().map_or(item.span, |e| e.key_span);
            Value::List(items.iter().map(|node| complete(node, item, start(node))).collect())
        }
        (value, _) => value.clone(),
    };
    Node { value, ..node.clone_shell() }
}

fn with(entry: &Entry, schema: &Schema) -> Entry {
    let node = complete(&entry.node, schema, entry.key_span);
    Entry { key: entry.key.clone(), key_span: entry.key_span, node }
}

fn value_of(literal: &Literal) -> Value {
    match literal {
        Literal::Bool(truth) => Value::Bool(*truth),
        Literal::Int(number) => Value::Int(*number),
        Literal::Text(text) => Value::String((&**text).into()),
    }
}

/// Says whether two values are the same, wherever they stand; the order of keys does not count.
pub fn same(left: &Node, right: &Node) -> bool {
    match (&left.value, &right.value) {
        (Value::Map(left), Value::Map(right)) => {
            left.len() == right.len()
                && left.iter().all(|entry| {
                    right
                        .iter()
                        .any(|other| other.key == entry.key && same(&entry.node, &other.node))
                })
        }
        (Value::List(left), Value::List(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(l, r)| same(l, r))
        }
        (left, right) => left == right,
    }
}
