//! Where a writer left lines out (`...`), the tree says so.
//!
//! Owns the marking of what may have lost something to a cut. The indentation of the lines that
//! are gone is not known, so everything that ended right before the cut is marked as well as what
//! was open around it.

use super::tree::{Entry, Fidelity, Node, Value};

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
