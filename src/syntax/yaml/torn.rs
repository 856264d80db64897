//! The end of a YAML text, which need not be the end of what was printed.
//!
//! JSON and lists of kubectl say where they end; a single object does not. Owns what shows that its last object was
//! cut, and what is not known of one that may have been: both are told to the tree, never to a rule.

use std::sync::Arc;

use super::{Document, View};
use crate::grammar::kind::find_kind;
use crate::grammar::schema::{Schema, Type};
use crate::syntax::tree::{Entry, Fidelity, Node, Style, Value};
use crate::syntax::unpack::mark_torn;

/// Fields in which a part of a word is as good as none, or better: no rule takes them for a name.
const HARMLESS: [&str; 5] = ["kind", "message", "reason", "status", "type"];

/// Marks the last document if it reaches to the end of the text and its end shows that it was cut, or hides it.
pub(super) fn mark_torn_end(view: &View<'_>, documents: &mut [Document]) {
    let text = view.text().trim_ascii_end();
    let end = view.span(text.len()..text.len()).lo;
    let Some(last) = documents.last_mut().filter(|last| last.span.hi >= end) else { return };
    // Who copies out of a window leaves the last line break behind: only a word that may be a part of one is in doubt.
    let open = !view.text().ends_with('\n') && !text.ends_with(['}', ']']);
    let root = last.root.as_mut().filter(|_| open).map(Arc::make_mut);
    if root.is_some_and(|root| forget_last_word(root, end)) {
        mark_torn(last, "the text ends here without a line break, as a file does that was cut");
    } else if !last.listed {
        mark_open_end(last);
    }
}

/// Takes the value out of a tree with which its text ends: a part of a name or number is another one.
fn forget_last_word(node: &mut Node, end: u32) -> bool {
    match &mut node.value {
        Value::Map(entries) => {
            let last = entries.last_mut().filter(|last| !HARMLESS.contains(&&*last.key));
            last.is_some_and(|Entry { node, .. }| forget_last_word(node, end))
        }
        Value::List(items) => items.last_mut().is_some_and(|node| forget_last_word(node, end)),
        Value::Null => false,
        _ if node.style == Style::Plain && node.span.hi == end => {
            (node.value, node.fidelity) = (Value::Null, Fidelity::Cut);
            true
        }
        _ => false,
    }
}

/// Looks at the end of an object that an API server printed.
fn mark_open_end(document: &mut Document) {
    let Some(root) = document.root.as_ref().filter(|root| is_stored(root)) else { return };
    let kind = document.head.kind.as_deref().and_then(find_kind);
    let Some(kind) = kind.filter(|kind| kind.is_fleet()) else { return };
    if let Some(field) = lacking(root, kind.schema()) {
        let message = format!("the text ends in the middle of the object: `{field}` is missing");
        mark_torn(document, &message);
    } else {
        let root = document.root.as_mut().map(Arc::make_mut);
        root.into_iter().for_each(|root| root.fidelity = Fidelity::Open);
    }
}

fn is_stored(root: &Node) -> bool {
    let stamps = ["creationTimestamp", "resourceVersion", "uid"];
    stamps.iter().any(|stamp| root.at(&["metadata", stamp]).is_some())
}

/// Returns a field that must be there and is not, in what ends with the text.
///
/// Keys are printed in order, so that a cut takes those behind the last one. What people wrote or shortened
/// has another order, or lacks others.
fn lacking<'s>(node: &Node, schema: &'s Schema) -> Option<&'s str> {
    match (&node.value, &schema.ty) {
        (Value::Map(entries), Type::Object(fields)) => {
            let last = entries.last()?;
            let behind = |name: &str| name > &*last.key && entries.is_sorted_by_key(|it| &it.key);
            let mut required = fields.iter().filter(|field| field.required && behind(&field.name));
            let absent = required.next().map(|field| &*field.name);
            absent.or_else(|| lacking(&last.node, &schema.field(&last.key)?.schema))
        }
        (Value::Map(entries), Type::Map(item)) => lacking(&entries.last()?.node, item),
        (Value::List(items), Type::List(item)) => lacking(items.last()?, item),
        _ => None,
    }
}
