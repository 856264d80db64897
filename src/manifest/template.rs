//! Text that is to be filled in before it is a manifest: Helm, kustomize variables, shell variables,
//! examples cut with `...`.
//!
//! Such a document is not judged, since nothing in it is final. What comes through standard input is
//! rendered already, so there the same text is an error.

use crate::source::{SourceFile, Span};
use crate::syntax::tree::{Node, Value};

/// What is said of text that was cut.
pub(super) const LEFT_OUT: &str = "text is left out here";

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
        // In place of an item dots are a value of a wrong type, and the rest is a manifest all the same.
        Value::List(items) => {
            items.iter().filter(|item| !item.as_str().is_some_and(is_dots)).find_map(find_hole)
        }
        _ => None,
    }
}

/// Finds a line of dots that stands for lines left out: there is more of the document behind it.
///
/// Dots at the margin end a document, unless what follows is further in and belongs to something above.
pub(super) fn find_cut(source: &SourceFile, document: Span) -> Option<Span> {
    let first = source.line_index(document.lo);
    let mut cut = None;
    for index in first..source.line_count() {
        let span = source.line_span(index);
        let text = source.slice(span);
        let word = text.trim();
        match cut {
            _ if index > first && text.starts_with("---") => return None,
            None if is_dots(word) => {
                let lo = span.range().start + (text.len() - text.trim_start().len());
                cut = Some(Span::new(span.source, lo, lo + word.len()));
            }
            Some(dots) if !word.is_empty() && !word.starts_with('#') => {
                let inside = |line: Span| source.slice(line).starts_with([' ', '\t']);
                let line = source.line_span(source.line_index(dots.lo));
                return cut.filter(|_| inside(line) || inside(span));
            }
            _ => {}
        }
    }
    None
}

fn is_dots(text: &str) -> bool {
    text == "..." || text == "…"
}

fn hole_in(text: &str) -> Option<&'static str> {
    if is_dots(text) {
        return Some(LEFT_OUT);
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
