//! JSON to trees: objects, lists, arrays, one after another or one per line.
//!
//! Owns the door and the way from one text to the next; [`value`] reads a single one.
//! Invariant: what was read before the trouble stays; only text between the trouble and the next
//! line that begins with a bracket is lost.

mod lexeme;
mod value;

use super::build::problem;
use super::cuts::mark_cut;
use super::tree::Value;
use super::unpack::{Whole, unpack};
use super::view::View;
use super::{Document, ProblemKind, Syntax, Wanted};
use lexeme::blanks;
use value::Reader;

/// Parses a JSON text into one document per object.
pub fn parse_json(view: &View<'_>, wanted: Wanted<'_>) -> Vec<Document> {
    let mut documents = Vec::new();
    let mut start = if view.text().starts_with('\u{feff}') { 3 } else { 0 };
    loop {
        start += blanks(view.text().get(start..).unwrap_or_default());
        if start >= view.text().len() {
            return documents;
        }
        let (whole, next) = read(view, start);
        unpack(view, whole, Syntax::Json, wanted, &mut documents);
        start = next;
    }
}

/// Reads the text at `start`, and returns it with the place to go on.
fn read(view: &View<'_>, start: usize) -> (Whole, usize) {
    let mut reader = Reader::new(view, start);
    let mut root = reader.value().filter(|root| root.value != Value::Null);
    let Reader { at, mut problems, failed: mut partial, .. } = reader;
    let text = view.text();
    let mut next = at + blanks(text.get(at..).unwrap_or_default());
    let follows = text.get(next..).unwrap_or_default();
    let garbage = !partial && !follows.is_empty() && !follows.starts_with(['{', '[']);
    if garbage {
        let line = follows.lines().next().unwrap_or_default();
        let span = view.span(next..next + line.len());
        let message = "this text behind the end of the value is not JSON";
        problems.push(problem(ProblemKind::Malformed, span, message));
    }
    if partial || garbage {
        next = next_start(text, at.max(start + 1));
    }
    let end = start + text.get(start..next).unwrap_or_default().trim_end().len();
    for &cut in view.cuts().iter().filter(|&&cut| start <= cut && cut <= end) {
        partial = true;
        root.iter_mut().for_each(|root| mark_cut(root, view.span(cut..cut).lo));
    }
    problems.sort_by_key(|problem| problem.span);
    (Whole { span: view.span(start..end), root, comments: Vec::new(), problems, partial }, next)
}

/// Returns the start of the next line that begins with a bracket.
fn next_start(text: &str, from: usize) -> usize {
    let rest = text.as_bytes().get(from..).unwrap_or_default();
    let mut breaks = memchr::memchr_iter(b'\n', rest);
    let found = breaks.find(|at| matches!(rest.get(at + 1), Some(b'{' | b'[')));
    found.map_or(text.len(), |at| from + at + 1)
}
