//! Texts that end, or leave something out, before their object does: the tree says so.
//!
//! Owns what shows that a text was cut, and the marking of what may have lost something to the cut. JSON and lists
//! of kubectl say where they end; a single object of YAML does not. Where a writer left lines out (`...`), their
//! indentation is not known, so everything that ended right before the cut is marked as well as what was open around
//! it. All of this is told to the tree, never to a rule.

use std::sync::Arc;

use super::text_view::TextView;
use super::tree::{Entry, Fidelity, Node, Style, Value};
use super::tree_builder::problem;
use super::{Document, ProblemKind};
use crate::grammar::kind::find_kind;
use crate::grammar::schema::{Schema, Type};
use crate::source::Span;

/// Fields in which a part of a word is as good as none, or better: no rule takes them for a name.
const HARMLESS: [&str; 5] = ["kind", "message", "reason", "status", "type"];

/// Marks what may miss something because lines are gone at `cut`, an offset in the source.
pub(super) fn mark_cut(node: &mut Node, cut: u32) {
    if cut <= node.span.lo {
        node.fidelity = Fidelity::Cut;
    } else if node.span.hi <= cut {
        mark_tail(node);
    } else {
        mark_inside(node, cut);
    }
}

fn mark_inside(node: &mut Node, cut: u32) {
    let child = match &mut node.value {
        Value::Map(entries) => {
            let index = entries.partition_point(|entry| entry.key_span.lo < cut);
            index
                .checked_sub(1)
                .and_then(|index| entries.get_mut(index))
                .map(|Entry { node, .. }| node)
        }
        Value::List(items) => {
            let index = items.partition_point(|item| item.span.lo < cut);
            index.checked_sub(1).and_then(|index| items.get_mut(index))
        }
        _ => None,
    };
    match child {
        Some(child) if cut < child.span.hi => mark_cut(child, cut),
        Some(child) => {
            mark_tail(child);
            node.fidelity = Fidelity::Cut;
        }
        None => node.fidelity = Fidelity::Cut,
    }
}

/// Marks a node whose end was cut off, and what ended with it.
fn mark_tail(node: &mut Node) {
    let last = match &mut node.value {
        Value::Map(entries) => entries.last_mut().map(|entry| &mut entry.node),
        Value::List(items) => items.last_mut(),
        Value::Null => None,
        _ => return,
    };
    if let Some(last) = last {
        mark_tail(last);
    }
    node.fidelity = Fidelity::Cut;
}

/// Marks the last item of a list that ends before its `kind`, which kubectl prints behind the items.
pub(super) fn mark_last_of_open_list(document: &mut Document) {
    mark_torn(document, "the list breaks off behind this item: its `kind` is missing");
}

/// Marks a document that may go on behind the end of its text, unless it is known to be broken.
pub(super) fn mark_torn(document: &mut Document, message: &str) {
    if document.problems.iter().any(|problem| problem.kind != ProblemKind::DuplicateKey) {
        return;
    }
    document.partial = true;
    if let Some(root) = document.root.as_mut().map(Arc::make_mut) {
        mark_cut(root, root.span.hi);
    }
    let end = Span { lo: document.span.hi, ..document.span };
    document.problems.push(problem(ProblemKind::Truncated, end, message));
}

/// Marks a document whose text ends inside a condition: the API server stores none without its type, and prints
/// that last.
pub(super) fn mark_torn_condition(document: &mut Document) {
    if document.root.as_deref().is_some_and(|root| ends_in_condition(root, false)) {
        mark_torn(document, "the text breaks off in the middle of a condition");
    }
}

fn ends_in_condition(node: &Node, is_condition: bool) -> bool {
    match &node.value {
        Value::Map(_) if is_condition => {
            node.get("lastTransitionTime").is_some() && node.get("type").is_none()
        }
        // A line as deep as the first is a field of its own.
        Value::Map(entries) if entries.as_unread().is_some_and(ends_with_field) => false,
        Value::Map(entries) => entries.last().is_some_and(|last| {
            let conditions = &*last.key == "conditions";
            match &last.node.value {
                Value::List(items) => {
                    items.last().is_some_and(|item| ends_in_condition(item, conditions))
                }
                _ => ends_in_condition(&last.node, false),
            }
        }),
        _ => false,
    }
}

/// Says whether the last line of a map in YAML is no deeper than its first.
fn ends_with_field(lines: &str) -> bool {
    let depth = |line: &str| line.len() - line.trim_ascii_start().len();
    let first = lines.lines().next().map(depth);
    let last = lines.trim_ascii_end().rsplit('\n').next();
    last.is_some_and(|last| Some(depth(last)) == first && !last.trim_ascii_start().starts_with('-'))
}

/// Marks the last document if it reaches to the end of the text and its end shows that it was cut, or hides it.
pub(super) fn mark_torn_end(view: &TextView<'_>, documents: &mut [Document]) {
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
            // The type of a condition names nothing; that of a strategy is compared with others.
            let is_condition = entries.iter().any(|it| &*it.key == "lastTransitionTime");
            let is_harmless = |last: &Entry| {
                HARMLESS.contains(&&*last.key)
                    && !matches!(last.node.value, Value::Map(_) | Value::List(_))
                    && (is_condition || &*last.key != "type")
            };
            let last = entries.last_mut().filter(|last| !is_harmless(last));
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
