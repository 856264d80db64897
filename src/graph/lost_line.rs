//! A line that was lost out of the middle of an object: no parser minds, but what its kind demands is not there.
//!
//! Only the status is looked at. Controllers write it, and the API server refuses one that is not whole; what
//! people leave out of a spec is for rules to judge.

use crate::grammar::schema::{Schema, Type};
use crate::syntax::Syntax;
use crate::syntax::tree::{Node, Value};

/// Says whether the status of an object lacks a field that its kind demands.
pub(super) fn has_lost_a_line(root: &Node, syntax: Syntax, schema: &Schema) -> bool {
    let shape = schema.field("status").filter(|_| syntax != Syntax::Table);
    let status = root.get("status");
    shape.zip(status).is_some_and(|(shape, status)| lacks(status, &shape.schema))
}

fn lacks(node: &Node, schema: &Schema) -> bool {
    match (&node.value, &schema.ty) {
        (Value::Map(entries), Type::Object(fields)) => {
            let absent = |name: &str| node.get(name).is_none();
            fields.iter().any(|field| field.required && absent(&field.name))
                || entries.iter().any(|entry| {
                    schema.field(&entry.key).is_some_and(|field| lacks(&entry.node, &field.schema))
                })
        }
        (Value::List(items), Type::List(item)) => items.iter().any(|node| lacks(node, item)),
        _ => false,
    }
}
