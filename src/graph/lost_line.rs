//! A line that was lost out of the middle of an object: no parser minds, but what its kind demands is not there.
//!
//! Only the status is looked at, and there only at what its parts are called and what a condition says: controllers write it,
//! and the API server refuses one without them. What people leave out of a spec is for rules to judge, and they
//! shorten a status by its messages and times.

use crate::grammar::schema::{Schema, Type};
use crate::syntax::Syntax;
use crate::syntax::tree::{Node, Value};

/// Says whether the status of an object lacks a name, a type or a verdict that its kind demands.
pub(super) fn has_lost_a_line(root: &Node, syntax: Syntax, schema: &Schema) -> bool {
    let shape = schema.field("status").filter(|_| syntax != Syntax::Table);
    let status = root.get("status");
    shape.zip(status).is_some_and(|(shape, status)| lacks(status, &shape.schema, None))
}

/// Looks at a part of a status; `around` is the object in which it stands.
fn lacks(node: &Node, schema: &Schema, around: Option<(&Node, &Schema)>) -> bool {
    match (&node.value, &schema.ty) {
        (Value::Map(entries), Type::Object(_)) => {
            entries.iter().any(|entry| match schema.field(&entry.key) {
                Some(field) => lacks(&entry.node, &field.schema, Some((node, schema))),
                None => around.is_some_and(|(node, schema)| is_stray(&entry.key, node, schema)),
            })
        }
        (Value::List(items), Type::List(item)) => {
            items.iter().any(|node| lacks_its_name(node, schema, item) || lacks(node, item, around))
        }
        _ => false,
    }
}

/// Says whether a key belongs into a part that the object around does not have: the line that opened that part is gone, and
/// what stood below it joined its neighbour.
fn is_stray(key: &str, around: &Node, schema: &Schema) -> bool {
    let mut absent = schema.fields().iter().filter(|field| around.get(&field.name).is_none());
    absent.any(|field| field.schema.field(key).is_some())
}

/// Says whether an item of a list lacks what tells it from its neighbours, or a condition its verdict.
fn lacks_its_name(node: &Node, list: &Schema, item: &Schema) -> bool {
    let names = list.item_key().iter().map(|name| &**name).chain(["status"]);
    let mut demanded = names.filter(|name| item.field(name).is_some_and(|field| field.required));
    demanded.any(|name| node.get(name).is_none())
}
