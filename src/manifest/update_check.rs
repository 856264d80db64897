//! Validates an update: what may not change, and old faults that are tolerated.
//!
//! Owns immutable fields and validation ratcheting: a fault in a value that the update leaves as it
//! was is forgiven, where old and new can be set side by side. Lists without a key are compared as
//! a whole, so one changed stage brings every stage before the judge again.

use super::cursor::PathBuilder;
use super::fault::{FaultKind, ManifestFault};
use super::stored::same;
use crate::grammar::schema::{ListType, Schema, Type};
use crate::kube::field_path::steps;
use crate::syntax::tree::{Node, Value};

/// Finds the immutable values that differ.
pub(super) fn judge_changes(new: &Node, old: &Node, schema: &Schema) -> Vec<ManifestFault> {
    let mut faults = Vec::new();
    changes(new, old, schema, &mut PathBuilder::default(), &mut faults);
    faults
}

fn changes<'m>(
    new: &'m Node,
    old: &Node,
    schema: &'m Schema,
    trail: &mut PathBuilder<'m>,
    faults: &mut Vec<ManifestFault>,
) {
    for field in schema.fields() {
        let (Some(entry), Some(before)) = (new.entry(&field.name), old.get(&field.name)) else {
            continue;
        };
        trail.key(&field.name);
        if let Some(words) = &field.schema.immutable
            && !same(&entry.node, before)
        {
            let span = match &entry.node.value {
                Value::Map(_) | Value::List(_) => entry.key_span,
                _ => entry.node.span,
            };
            let kind = FaultKind::Changed(words.to_string(), Some(before.span));
            faults.push(ManifestFault { kind, place: trail.place(span) });
        }
        if matches!(field.schema.ty, Type::Object(_)) {
            changes(&entry.node, before, &field.schema, trail, faults);
        }
        trail.back();
    }
}

/// Says whether the value under a pointer, or something around it, is as it was.
pub fn is_unchanged(pointer: &str, new: &Node, old: &Node, schema: &Schema) -> bool {
    let (mut new, mut old, mut schema) = (new, old, schema);
    for key in steps(pointer) {
        let next = match &schema.ty {
            Type::Object(_) => schema.field(&key).map(|field| &field.schema),
            Type::Map(item) => Some(&**item),
            Type::List(item) => match (&schema.list_type, key.parse::<usize>()) {
                (ListType::Map(keys), Ok(index)) => {
                    let Some(item_new) = new.items().get(index) else { return false };
                    let alike = |other: &&Node| {
                        keys.iter().all(|key| match (item_new.get(key), other.get(key)) {
                            (Some(left), Some(right)) => same(left, right),
                            (None, None) => true,
                            _ => false,
                        })
                    };
                    let Some(item_old) = old.items().iter().find(alike) else { return false };
                    if same(item_new, item_old) {
                        return true;
                    }
                    (new, old, schema) = (item_new, item_old, item);
                    continue;
                }
                _ => return false,
            },
            _ => return false,
        };
        if schema.atomic {
            return false;
        }
        let (Some(next), Some(to), Some(from)) = (next, new.get(&key), old.get(&key)) else {
            return false;
        };
        if same(to, from) {
            return true;
        }
        (new, old, schema) = (to, from, next);
    }
    false
}
