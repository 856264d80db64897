//! JSON to trees: objects, lists, arrays, one after another or one per line.
//!
//! Owns the door and the way from one text to the next; [`skim()`] finds the objects of a text, and
//! [`value`] reads one.
//! Invariant: what was read before the trouble stays; only text between the trouble and the next
//! line that begins with a bracket is lost.

pub(super) mod lexeme;
mod skim;
mod sound;
#[cfg(test)]
mod tests;
mod value;

use std::ops::Range;

use rayon::prelude::*;

use super::flatten_lists::{ParsedText, document, unpack};
use super::list_items::{BLOCK, ListItem, Parts, pass_over, unread_parts};
use super::text_view::TextView;
use super::tree::Value;
use super::tree_builder::problem;
use super::truncation::mark_cut;
use super::{Document, DocumentFilter, ProblemKind, Syntax};
use lexeme::blanks;
use skim::{JsonOutline, skim};
use value::Reader;

/// How many looks may fail in one text: each may have gone to its end, so that a text of broken
/// pieces would cost its length for every piece.
const MAX_MISSES: usize = 8;

/// Parses a JSON text into one document per object.
///
/// A document that is not `wanted` has no tree, only a head.
pub fn parse_json(view: &TextView<'_>, wanted: DocumentFilter<'_>) -> Vec<Document> {
    let text = view.text();
    let mut documents = Vec::new();
    let mut at = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let mut misses = 0;
    loop {
        at += blanks(text.get(at..).unwrap_or_default());
        if at >= text.len() {
            return documents;
        }
        let looked = (misses < MAX_MISSES).then(|| read_parts(view, at, wanted, &mut documents));
        let end = looked.flatten().unwrap_or_else(|| {
            misses += 1;
            let (whole, next) = read(view, at..text.len(), &[]);
            unpack(view, whole, Syntax::Json, wanted, &mut documents);
            next
        });
        at = pass_garbage(view, end, &mut documents);
    }
}

/// Reads the wanted objects of the text at `start`, and returns where it ends; `None` if a look is
/// not enough to find them.
fn read_parts(
    view: &TextView<'_>,
    start: usize,
    wanted: DocumentFilter<'_>,
    documents: &mut Vec<Document>,
) -> Option<usize> {
    let (shape, end) = skim(view.text(), start)?;
    if view.cuts().iter().any(|&cut| start <= cut && cut <= end) {
        return None;
    }
    let (list, items) = match shape {
        JsonOutline::Object(part) => (None, vec![part]),
        JsonOutline::List(Parts { list, items }) => (Some(list), items),
    };
    // Items do not know of each other: those of a large list are read by all threads, in blocks and in order.
    let read = |items: &[ListItem]| {
        let mut documents = Vec::with_capacity(items.len());
        for part in items {
            if !pass_over(view, part, list.as_ref(), Syntax::Json, wanted, &mut documents) {
                let unread = part.head.as_ref().map(unread_parts).unwrap_or_default();
                let (whole, _) = read(view, part.range.clone(), unread);
                let span = view.span(part.range.clone());
                let whole = ParsedText { list: list.clone(), span, ..whole };
                unpack(view, whole, Syntax::Json, wanted, &mut documents);
            }
        }
        documents
    };
    let blocks: Vec<Vec<Document>> = items.par_chunks(BLOCK).map(read).collect();
    documents.extend(blocks.into_iter().flatten());
    Some(end)
}

/// Reads a value, and returns it with the place to go on.
///
/// The parts whose keys are `unread` are checked, and read when somebody asks for them.
fn read(view: &TextView<'_>, range: Range<usize>, unread: &[&str]) -> (ParsedText, usize) {
    let text = view.text().get(..range.end).unwrap_or_default();
    let start = range.start;
    let mut reader = Reader::new(view, range, unread);
    let mut root = reader.value().filter(|root| root.value != Value::Null);
    let Reader { at, mut problems, failed: mut partial, .. } = reader;
    let next = if partial { next_start(text, at.max(start + 1)) } else { at };
    let end = start + text.get(start..next).unwrap_or_default().trim_ascii_end().len();
    for &cut in view.cuts().iter().filter(|&&cut| start <= cut && cut <= end) {
        partial = true;
        root.iter_mut().for_each(|root| mark_cut(root, view.span(cut..cut).lo));
    }
    problems.sort_by_key(|problem| problem.span);
    let (span, list) = (view.span(start..end), None);
    (ParsedText { span, root, comments: Vec::new(), problems, partial, list }, next)
}

/// Reports what stands behind a value and does not begin another, and returns where to go on.
fn pass_garbage(view: &TextView<'_>, end: usize, documents: &mut Vec<Document>) -> usize {
    let text = view.text();
    let at = end + blanks(text.get(end..).unwrap_or_default());
    let rest = text.get(at..).unwrap_or_default();
    if rest.is_empty() || rest.starts_with(['{', '[']) {
        return at;
    }
    let line = rest.lines().next().unwrap_or_default();
    let span = view.span(at..at + line.len());
    let message = "this text behind the end of the value is not JSON";
    let garbage = problem(ProblemKind::Malformed, span, message);
    match documents.last_mut() {
        Some(last) if last.root.is_none() && last.problems.is_empty() => {}
        Some(last) => last.problems.push(garbage),
        None => {
            documents.push(Document { problems: vec![garbage], ..document(span, Syntax::Json) })
        }
    }
    next_start(text, at)
}

/// Returns the start of the next line that begins with a bracket.
fn next_start(text: &str, from: usize) -> usize {
    let rest = text.as_bytes().get(from..).unwrap_or_default();
    let mut breaks = memchr::memchr_iter(b'\n', rest);
    let found = breaks.find(|at| matches!(rest.get(at + 1), Some(b'{' | b'[')));
    found.map_or(text.len(), |at| from + at + 1)
}
