//! A line that was lost out of the middle of an object: no parser minds, but what its kind demands is not there.
//!
//! Of the status it is looked at what its parts are called and what a condition says: controllers write it, and the API server
//! refuses one without them. What people leave out of a spec is for rules to judge, but keys of the status in it show that the
//! line between them is gone.

use crate::grammar::schema::{Schema, Type};
use crate::syntax::Syntax;
use crate::syntax::tree::{Node, Value};

/// Says whether the status of an object lacks a name, a type or a verdict that its kind demands, or the line that opens it.
pub(super) fn has_lost_a_line(root: &Node, syntax: Syntax, schema: &Schema) -> bool {
    if syntax == Syntax::Table {
        return false;
    }
    let part = |name: &str| root.get(name).zip(schema.field(name));
    let status = part("status").is_some_and(|(status, shape)| lacks(status, &shape.schema, None));
    // Where the line that opens the status is gone, what stood below it joined the spec.
    let spec = part("spec").is_some_and(|(spec, shape)| {
        let mut unknown =
            spec.entries().iter().filter(|entry| shape.schema.field(&entry.key).is_none());
        unknown.any(|entry| is_stray(&entry.key, root, schema))
    });
    status || spec
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
