//! YAML to trees: streams of documents, lists of objects.
//!
//! Owns the door and the cutting of a stream at its `---` lines, so that one broken document does
//! not touch its neighbours. Events come from [`events`], trees from [`compose`].
//! Invariant: every byte of the text belongs to at most one document.

mod anchors;
mod compose;
mod events;
mod scalar;

use std::ops::Range;

use super::unpack::unpack;
use super::view::View;
use super::{Document, Syntax, Wanted};
use compose::compose;

/// Who decides what an unquoted scalar is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dialect {
    /// The core schema of YAML 1.2, enough for what programs print.
    Core,
    /// The API server's reader, for what people write.
    Server,
}

/// Parses a YAML text into one document per object.
pub fn parse_yaml(view: &View<'_>, wanted: Wanted<'_>) -> Vec<Document> {
    parse(view, wanted, Dialect::Core)
}

/// Parses a YAML text that people wrote, typing scalars as the API server would.
pub fn parse_manifests(view: &View<'_>, wanted: Wanted<'_>) -> Vec<Document> {
    parse(view, wanted, Dialect::Server)
}

fn parse(view: &View<'_>, wanted: Wanted<'_>, dialect: Dialect) -> Vec<Document> {
    let mut documents = Vec::new();
    let mut comments = Vec::new();
    for range in segments(view.text(), dialect) {
        for whole in compose(view, range, dialect, &mut comments) {
            unpack(view, whole, Syntax::Yaml, wanted, &mut documents);
        }
    }
    if let Some(last) = documents.last_mut() {
        last.comments.append(&mut comments);
    }
    documents
}

/// Cuts a stream in front of each `---` line.
fn segments(text: &str, dialect: Dialect) -> Vec<Range<usize>> {
    let mut starts = vec![0];
    starts.extend(memchr::memmem::find_iter(text.as_bytes(), "\n---").map(|at| at + 1).filter(
        |at| {
            let behind = text.as_bytes().get(at + 3);
            behind.is_none_or(u8::is_ascii_whitespace)
        },
    ));
    // A directive belongs to the document behind the marker: leave such a stream in one piece. The
    // server cuts all the same, and then cannot read what is left.
    if dialect == Dialect::Core && (text.starts_with('%') || text.contains("\n%")) {
        starts.truncate(1);
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
}
