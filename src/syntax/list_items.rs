//! Objects that a look found in a text before any of it was parsed.
//!
//! Owns what the looks at YAML lines and at JSON brackets have in common: the ranges of the
//! objects, their heads, and counting those that nobody wants.

use std::ops::Range;

use super::flatten_lists::document;
use super::text_view::TextView;
use super::{Document, DocumentFilter, DocumentHead, Syntax};

/// How many items of a list one thread reads at a time.
pub(super) const BLOCK: usize = 64;

/// A list of objects.
#[derive(Debug)]
pub(super) struct Parts {
    /// What the list says about itself.
    pub(super) list: DocumentHead,
    /// Its items in order.
    pub(super) items: Vec<ListItem>,
}

/// An object in a list or on its own.
#[derive(Debug)]
pub(super) struct ListItem {
    /// The text that a parser needs to read it.
    pub(super) range: Range<usize>,
    /// The text of the object itself.
    pub(super) content: Range<usize>,
    /// Its head, if a look was enough to tell.
    pub(super) head: Option<DocumentHead>,
}

/// Counts an object that is not wanted; says whether that was so.
///
/// A list within the list may hold what is wanted, so it is never passed over.
pub(super) fn pass_over(
    view: &TextView<'_>,
    part: &ListItem,
    list: Option<&DocumentHead>,
    syntax: Syntax,
    wanted: DocumentFilter<'_>,
    out: &mut Vec<Document>,
) -> bool {
    let Some(head) = &part.head else { return false };
    let nested = head.kind.as_deref().is_some_and(|kind| kind.ends_with("List"));
    if nested || wanted(head) {
        return false;
    }
    let span = view.span(part.content.clone());
    out.push(Document { head: head.clone(), listed: list.is_some(), ..document(span, syntax) });
    true
}

/// Returns the parts of an object that are checked and stay text until somebody asks for them.
///
/// What is KubeFleet's own is read by so many rules that all of it is read at once. Of all else that a dump holds,
/// most is in order, and a few fields of it are looked at.
pub(super) fn unread_parts(head: &DocumentHead) -> &'static [&'static str] {
    match head.find_kind() {
        Some(spec) if !spec.is_fleet() => &["binaryData", "data", "spec", "status"],
        _ => &[],
    }
}
