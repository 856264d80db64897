//! YAML to trees: streams of documents, lists of objects.
//!
//! Owns the door and the choice between the full parser and a look at the lines: a stream is cut
//! at its `---`, a list at its items, so that one broken part does not touch its neighbours and a
//! part that nobody wants costs no more than the look. Events come from [`events`], trees from
//! [`compose()`].
//! Invariant: for well-formed text the cut gives what the full parser gives for the whole.

mod anchors;
mod document_head;
mod events;
mod from_events;
mod kubectl_subset;
mod lenient;
mod lines;
mod open_node;
mod recover;
mod scalar;
mod split;
mod tabs;
#[cfg(test)]
mod tests;

use std::ops::Range;

use rayon::prelude::*;

use super::flatten_lists::{ParsedText, unpack};
use super::list_items::{BLOCK, ListItem, pass_over, unread_parts};
use super::text_view::TextView;
use super::truncation::{mark_last_of_open_list, mark_torn_end};
use super::{Document, DocumentFilter, DocumentHead, Syntax};
use crate::source::Span;
use from_events::{compose, compose_as};
use kubectl_subset::{read_canonical, read_canonical_as_server};
use lines::Margin;
use recover::recover;
use scalar::Dialect;
use split::{look_at_object, split_list};

/// Parses a YAML text into one document per object.
///
/// A document that is not `wanted` has no tree, only a head.
pub fn parse_yaml(view: &TextView<'_>, wanted: DocumentFilter<'_>) -> Vec<Document> {
    let mut documents = Vec::new();
    let mut comments = Vec::new();
    let margin = Margin::of(view.text());
    for range in segments(view.text(), &margin) {
        let known = comments.is_empty() && is_simple(view, range.clone(), &margin);
        if known && read_lines(view, range.clone(), &margin, wanted, &mut documents) {
            continue;
        }
        let canonical = if known { read_canonical(view, range.clone(), &[]) } else { None };
        let wholes = match canonical {
            Some(root) => vec![ParsedText::sound(root)],
            None => read_full(view, range, &mut comments),
        };
        for whole in wholes {
            unpack(view, whole, Syntax::Yaml, wanted, &mut documents);
        }
    }
    if let Some(last) = documents.last_mut().filter(|last| last.root.is_some()) {
        last.comments.append(&mut comments);
    }
    mark_torn_end(view, &mut documents);
    documents
}

/// Reads a segment with the full parser, and once more part by part if it is one broken document.
fn read_full(
    view: &TextView<'_>,
    range: Range<usize>,
    comments: &mut Vec<Span>,
) -> Vec<ParsedText> {
    let mut wholes = compose(view, range.clone(), comments);
    match wholes.pop() {
        Some(whole) if wholes.is_empty() => wholes.push(recover(view, range, whole)),
        Some(whole) => wholes.push(whole),
        None => {}
    }
    wholes
}

/// Parses a YAML text that people wrote, as the API server reads it.
///
/// Scalars are typed by its rules, and a directive stands alone in front of its `---`.
pub fn parse_manifests(view: &TextView<'_>, wanted: DocumentFilter<'_>) -> Vec<Document> {
    let mut documents = Vec::new();
    let mut comments = Vec::new();
    let margin = Margin::of(view.text());
    for range in pieces(view.text(), &margin) {
        let known = comments.is_empty() && is_simple(view, range.clone(), &margin);
        let canonical = Some(range.clone()).filter(|_| known);
        let wholes = match canonical.and_then(|range| read_canonical_as_server(view, range)) {
            Some(root) => vec![ParsedText::sound(root)],
            None => compose_as(view, range, Dialect::Server, &mut comments),
        };
        for whole in wholes {
            unpack(view, whole, Syntax::Yaml, wanted, &mut documents);
        }
    }
    if let Some(last) = documents.last_mut().filter(|last| last.root.is_some()) {
        last.comments.append(&mut comments);
    }
    documents
}

/// Cuts a stream in front of each `---` line, but not between a directive and its document.
fn segments(text: &str, margin: &Margin) -> Vec<Range<usize>> {
    let mut pieces = pieces(text, margin);
    if margin.that_begin(text, 0..text.len(), "%").next().is_some() {
        pieces.truncate(1);
        pieces.iter_mut().for_each(|piece| piece.end = text.len());
    }
    pieces
}

/// Cuts a stream in front of each `---` line.
fn pieces(text: &str, margin: &Margin) -> Vec<Range<usize>> {
    let start = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let mut starts = vec![start];
    let markers = margin.that_begin(text, 1..text.len(), "---");
    starts.extend(markers.filter(|at| {
        let behind = text.as_bytes().get(at + 3);
        behind.is_none_or(u8::is_ascii_whitespace)
    }));
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
}

/// Says whether a segment may be judged by its lines: one document, nothing cut out.
fn is_simple(view: &TextView<'_>, range: Range<usize>, margin: &Margin) -> bool {
    let behind = range.start + 1..range.end;
    let cut = view.cuts().iter().any(|&cut| range.start <= cut && cut <= range.end);
    !cut && margin.that_begin(view.text(), behind, "...").next().is_none()
}

/// Reads a list item by item, or passes over an object that is not wanted; says whether it could.
fn read_lines(
    view: &TextView<'_>,
    range: Range<usize>,
    margin: &Margin,
    wanted: DocumentFilter<'_>,
    documents: &mut Vec<Document>,
) -> bool {
    if let Some(parts) = split_list(view.text(), range.clone(), margin) {
        let open = parts.list.kind.is_none();
        // Items do not know of each other: those of a large list are read by all threads, in blocks and in order.
        let read = |items: &[ListItem]| {
            let mut read = Vec::with_capacity(items.len());
            let fits = items.iter().all(|item| {
                pass_over(view, item, Some(&parts.list), Syntax::Yaml, wanted, &mut read)
                    || read_item(view, item, &parts.list, wanted, &mut read)
            });
            fits.then_some(read)
        };
        let blocks: Option<Vec<Vec<Document>>> = parts.items.par_chunks(BLOCK).map(read).collect();
        let Some(blocks) = blocks else { return false };
        documents.reserve_exact(parts.items.len());
        documents.extend(blocks.into_iter().flatten());
        if open {
            documents.last_mut().into_iter().for_each(mark_last_of_open_list);
        }
        return true;
    }
    look_at_object(view.text(), range)
        .is_some_and(|part| pass_over(view, &part, None, Syntax::Yaml, wanted, documents))
}

/// Parses an item of a list; says whether it could be understood without the rest of the list.
fn read_item(
    view: &TextView<'_>,
    part: &ListItem,
    list: &DocumentHead,
    wanted: DocumentFilter<'_>,
    documents: &mut Vec<Document>,
) -> bool {
    let unread = part.head.as_ref().map(unread_parts).unwrap_or_default();
    let whole = match read_canonical(view, part.range.clone(), unread) {
        Some(root) => ParsedText::sound(root),
        None => {
            let mut wholes = read_full(view, part.range.clone(), &mut Vec::new()).into_iter();
            let (Some(whole), None) = (wholes.next(), wholes.next()) else { return false };
            whole
        }
    };
    // An alias may name an anchor in another item.
    let source = view.source();
    if whole.problems.iter().any(|problem| source.slice(problem.span).starts_with('*')) {
        return false;
    }
    let whole = ParsedText { list: Some(list.clone()), ..whole };
    unpack(view, whole, Syntax::Yaml, wanted, documents);
    true
}
