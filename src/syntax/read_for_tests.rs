//! [`ReadForTests`]: a text that a reader was given, with what it made of it, for the tests of the readers.

use super::text_view::TextView;
use super::tree::Node;
use super::{Document, DocumentFilter};
use crate::source::{Encoding, Origin, Sources, Span};

/// A reader of a text.
type ReadText = fn(&TextView<'_>, DocumentFilter<'_>) -> Vec<Document>;

/// A parsed text with its source.
pub(super) struct ReadForTests {
    pub(super) sources: Sources,
    pub(super) documents: Vec<Document>,
}

impl ReadForTests {
    pub(super) fn new(text: &str, wanted: DocumentFilter<'_>, read: ReadText) -> Self {
        let mut sources = Sources::default();
        let id = sources.add("test", Origin::default(), Encoding::Utf8, text);
        let source = sources.get(id);
        let documents = read(&TextView::whole(source, source.span()), wanted);
        Self { sources, documents }
    }

    pub(super) fn root(&self, index: usize) -> &Node {
        self.documents[index].root.as_ref().unwrap()
    }

    pub(super) fn text(&self, span: Span) -> &str {
        self.sources.text(span)
    }
}
