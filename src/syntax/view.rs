//! [`View`]: the text that a parser sees, and the way back to the file.
//!
//! A paste carries quote marks, indentation, prompts and `...` between the lines of an object. The
//! view leaves those out and remembers where each kept piece came from, so that every parser works
//! on clean text and still reports spans of the file as it was sent.
//! Invariant: the clean text is a concatenation of slices of the source, in order; nothing is added.

use std::borrow::Cow;
use std::ops::Range;

use crate::source::{SourceFile, Span};

/// Clean text over a source.
#[derive(Clone, Debug)]
pub struct View<'s> {
    source: &'s SourceFile,
    text: Cow<'s, str>,
    /// Where each kept piece starts: (offset in the clean text, offset in the source).
    pieces: Vec<(usize, usize)>,
    /// Offsets in the clean text at which lines were cut out by whoever wrote the text.
    cuts: Vec<usize>,
}

impl<'s> View<'s> {
    /// Views a part of a source as it is.
    pub fn whole(source: &'s SourceFile, span: Span) -> Self {
        let text = Cow::Borrowed(source.slice(span));
        Self { source, text, pieces: vec![(0, span.lo as usize)], cuts: Vec::new() }
    }

    /// Starts an empty view, to be filled with [`View::push`].
    pub fn empty(source: &'s SourceFile) -> Self {
        Self { source, text: Cow::Owned(String::new()), pieces: Vec::new(), cuts: Vec::new() }
    }

    /// Appends a slice of the source; slices must come in file order.
    pub fn push(&mut self, span: Span) {
        if span.is_empty() {
            return;
        }
        let clean = self.text.len();
        let follows =
            self.pieces.last().is_some_and(|&(at, from)| from + (clean - at) == span.lo as usize);
        if !follows {
            self.pieces.push((clean, span.lo as usize));
        }
        self.text.to_mut().push_str(self.source.slice(span));
    }

    /// Notes that the writer cut lines out here (`...`).
    pub fn cut(&mut self) {
        self.cuts.push(self.text.len());
    }

    /// Returns the clean text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the source behind the text.
    pub fn source(&self) -> &'s SourceFile {
        self.source
    }

    /// Returns the offsets in the clean text at which lines were cut out.
    pub fn cuts(&self) -> &[usize] {
        &self.cuts
    }

    /// Narrows the view to a range of the clean text.
    pub fn slice(&self, range: Range<usize>) -> Self {
        let first = self.piece_at(range.start);
        let last = self.pieces.partition_point(|&(at, _)| at < range.end).max(first + 1);
        let pieces = self.pieces.get(first..last).unwrap_or_default();
        let pieces = pieces.iter().map(|&(at, from)| {
            if at < range.start { (0, from + (range.start - at)) } else { (at - range.start, from) }
        });
        let text = match &self.text {
            Cow::Borrowed(text) => Cow::Borrowed(text.get(range.clone()).unwrap_or_default()),
            Cow::Owned(text) => Cow::Owned(text.get(range.clone()).unwrap_or_default().to_owned()),
        };
        let cuts = self.cuts.iter().filter(|&&at| range.start <= at && at <= range.end);
        let cuts = cuts.map(|&at| at - range.start).collect();
        Self { source: self.source, text, pieces: pieces.collect(), cuts }
    }

    /// Returns the span in the source of a range of the clean text.
    ///
    /// A range that crosses left-out text covers that text in the source as well.
    pub fn span(&self, range: Range<usize>) -> Span {
        let lo = self.locate(range.start);
        let hi = if range.end > range.start { self.locate(range.end - 1) + 1 } else { lo };
        Span::new(self.source.id(), lo, hi)
    }

    /// Returns the span of the whole view.
    pub fn full_span(&self) -> Span {
        self.span(0..self.text.len())
    }

    fn locate(&self, at: usize) -> usize {
        let (clean, from) = self.pieces.get(self.piece_at(at)).copied().unwrap_or_default();
        from + at.saturating_sub(clean)
    }

    fn piece_at(&self, at: usize) -> usize {
        self.pieces.partition_point(|&(clean, _)| clean <= at).saturating_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Encoding, Origin, Sources};

    #[test]
    fn spans_lead_back_through_stripped_quote_marks() {
        let mut sources = Sources::default();
        let id = sources.add("mail", Origin::default(), Encoding::Utf8, "> a: 1\n> ...\n> b: 2\n");
        let source = sources.get(id);
        let mut view = View::empty(source);
        view.push(Span::new(id, 2, 7));
        view.cut();
        view.push(Span::new(id, 15, 20));
        assert_eq!(view.text(), "a: 1\nb: 2\n");
        assert_eq!(source.slice(view.span(5..6)), "b");
        assert_eq!(source.slice(view.span(3..4)), "1");
        assert_eq!(view.cuts(), [5]);
        let tail = view.slice(5..10);
        assert_eq!(tail.text(), "b: 2\n");
        assert_eq!(source.slice(tail.span(3..4)), "2");
        assert_eq!(source.slice(view.slice(3..9).span(0..1)), "1");
    }
}
