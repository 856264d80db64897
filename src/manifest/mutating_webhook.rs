//! What the hub's mutating webhook makes of a ClusterResourcePlacement before it is judged.
//!
//! It reads the object into a typed form and writes it back: empty words and empty lists are gone,
//! required keys that were absent are there and empty, and policy, strategy and their parts are
//! filled in. Nothing of this happens to other kinds.

use smol_str::SmolStr;

use crate::grammar::schema::{Field, Schema, Type};
use crate::source::Span;
use crate::syntax::tree::{Entries, Entry, Fidelity, Node, Value};

/// The kind that has a mutating webhook.
pub(super) const MUTATED: &str = "ClusterResourcePlacement";

/// The required keys that the typed form writes when they are absent, and that nobody minds empty.
///
/// It writes the others too, but the hub refuses them empty as it would refuse them absent.
const WRITTEN_EMPTY: [&str; 4] = ["group", "topologyKey", "weight", "preference"];

/// Drops what does not survive the typed form (empty words of an enumeration and empty lists) and
/// adds what it writes by itself.
pub(super) fn rewrite(node: &Node, schema: &Schema) -> Node {
    let value = match (&node.value, &schema.ty) {
        (Value::Map(entries), Type::Object(_)) => {
            let kept = entries.iter().filter_map(|entry| match schema.field(&entry.key) {
                Some(field) if !field.required && vanishes(&entry.node, &field.schema) => None,
                Some(field) if empty_of(field).is_some() && entry.node.value == Value::Null => None,
                Some(field) => Some(with(entry, &field.schema)),
                None => Some(entry.clone()),
            });
            let mut map = Node { value: Value::Map(kept.collect()), ..node.clone_shell() };
            let near = entries.first().map_or(node.span, |entry| entry.key_span);
            for field in schema.fields() {
                if let Some(empty) = empty_of(field) {
                    set(&mut map, &field.name, empty, near);
                }
            }
            return map;
        }
        (Value::Map(entries), Type::Map(item)) => {
            Value::Map(entries.iter().map(|entry| with(entry, item)).collect())
        }
        (Value::List(items), Type::List(item)) => {
            Value::List(items.iter().map(|node| rewrite(node, item)).collect())
        }
        (value, _) => value.clone(),
    };
    Node { value, ..node.clone_shell() }
}

fn with(entry: &Entry, schema: &Schema) -> Entry {
    Entry { node: rewrite(&entry.node, schema), ..entry.clone() }
}

/// Returns what the typed form writes for a key that is absent, where that makes a difference.
fn empty_of(field: &Field) -> Option<Value> {
    if !field.required || !WRITTEN_EMPTY.contains(&&*field.name) {
        return None;
    }
    match field.schema.ty {
        Type::String => Some(Value::String(SmolStr::default())),
        Type::Integer => Some(Value::Int(0)),
        Type::Object(_) => Some(Value::Map(Entries::default())),
        _ => None,
    }
}

fn vanishes(node: &Node, schema: &Schema) -> bool {
    match &node.value {
        Value::String(text) => text.is_empty() && !schema.allowed.is_empty(),
        Value::List(items) => items.is_empty(),
        _ => false,
    }
}

/// Fills in policy and strategy of the spec.
pub(super) fn fill_in(mut root: Node) -> Node {
    let Some(spec) = child(&mut root, "spec") else { return root };
    let near = spec.entries().first().map_or(spec.span, |entry| entry.key_span);
    set(spec, "policy", Value::Map(Entries::default()), near);
    set(spec, "strategy", Value::Map(Entries::default()), near);
    if let Some(policy) = child(spec, "policy") {
        set(policy, "placementType", Value::String("PickAll".into()), near);
    }
    let Some(strategy) = child(spec, "strategy") else { return root };
    set(strategy, "type", Value::String("RollingUpdate".into()), near);
    if strategy.get("type").and_then(Node::as_str) == Some("RollingUpdate") {
        set(strategy, "rollingUpdate", Value::Map(Entries::default()), near);
    }
    set(strategy, "applyStrategy", Value::Map(Entries::default()), near);
    root
}

fn child<'n>(node: &'n mut Node, key: &str) -> Option<&'n mut Node> {
    let Value::Map(entries) = &mut node.value else { return None };
    entries.iter_mut().find(|entry| &*entry.key == key).map(|entry| &mut entry.node)
}

/// Adds a key that is absent.
fn set(node: &mut Node, key: &str, value: Value, near: Span) {
    if let Value::Map(entries) = &mut node.value
        && !entries.iter().any(|entry| &*entry.key == key)
    {
        let node = Node::new(near, value).with_fidelity(Fidelity::Inferred);
        entries.push(Entry { key: key.into(), key_span: near, node });
    }
}
