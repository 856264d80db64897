//! Text that is to be filled in before it is a manifest: Helm, kustomize variables, shell variables,
//! examples cut with `...`.
//!
//! Such a document is not judged, since nothing in it is final. What comes through standard input is
//! rendered already, so there the same text is an error.

use crate::source::Span;
use crate::syntax::tree::{Node, Value};

/// Finds what shows that a document is a template.
pub(super) fn find_hole(root: &Node) -> Option<(Span, &'static str)> {
    match &root.value {
        Value::String(text) => hole_in(text).map(|what| (root.span, what)),
        Value::Map(entries) => entries.iter().find_map(|entry| match &*entry.key {
            // What is carried along for others has variables of its own.
            "value" | "data" | "annotations" | "status" => None,
            key => {
                hole_in(key).map(|what| (entry.key_span, what)).or_else(|| find_hole(&entry.node))
            }
        }),
        Value::List(items) => items.iter().find_map(find_hole),
        _ => None,
    }
}

fn hole_in(text: &str) -> Option<&'static str> {
    if text == "..." || text == "…" {
        return Some("text is left out here");
    }
    if text.contains("{{") && text.contains("}}") {
        return Some("a template is to be filled in here");
    }
    let variable = text.match_indices('$').any(|(at, _)| {
        let rest = text.get(at + 1..).unwrap_or_default();
        let name = rest.strip_prefix(['{', '(']).unwrap_or(rest);
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && !rest.starts_with("{MEMBER-CLUSTER-")
    });
    variable.then_some("a variable is to be filled in here")
}
