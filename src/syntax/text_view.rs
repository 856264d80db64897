//! [`TextView`]: the text that a parser sees, and the way back to the file.
//!
//! A paste carries quote marks, indentation, prompts and `...` between the lines of an object. The
//! view leaves those out and remembers where each kept piece came from, so that every parser works
//! on clean text and still reports spans of the file as it was sent.
//! Invariant: the clean text is made of slices of the source, in order; nothing is added, and only a
//! character that stands for another one (a no-break space, `=3D` of a mail) is replaced.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use crate::source::{SourceFile, Span};

/// Clean text over a source.
#[derive(Clone, Debug)]
pub struct TextView<'s> {
    source: &'s SourceFile,
    text: Cow<'s, str>,
    /// Where each kept piece starts: (offset in the clean text, offset in the source).
    pieces: Vec<(usize, usize)>,
    /// Offsets in the clean text at which lines were cut out by whoever wrote the text.
    cuts: Vec<usize>,
}

/// The text of a view without its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detached {
    text: String,
    pieces: Vec<(usize, usize)>,
}

impl Detached {
    /// Returns the clean text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns where a range of the clean text stands in the source.
    pub fn locate(&self, range: Range<usize>) -> Range<usize> {
        let place = |at: usize| {
            let after = self.pieces.partition_point(|&(clean, _)| clean <= at);
            let piece = self.pieces.get(after.saturating_sub(1)).copied();
            let (clean, from) = piece.unwrap_or_default();
            from + at.saturating_sub(clean)
        };
        let lo = place(range.start);
        lo..if range.end > range.start { place(range.end - 1) + 1 } else { lo }
    }
}

impl<'s> TextView<'s> {
    /// Lets go of the source.
    pub fn detach(&self) -> Detached {
        Detached { text: self.text.to_string(), pieces: self.pieces.clone() }
    }

    /// Views a part of a source as it is.
    pub fn whole(source: &'s SourceFile, span: Span) -> Self {
        let text = Cow::Borrowed(source.slice(span));
        Self { source, text, pieces: vec![(0, span.lo as usize)], cuts: Vec::new() }
    }

    /// Starts an empty view, to be filled with [`TextView::push`].
    pub fn empty(source: &'s SourceFile) -> Self {
        Self { source, text: Cow::Owned(String::new()), pieces: Vec::new(), cuts: Vec::new() }
    }

    /// Appends a slice of the source; slices must come in file order.
    pub fn push(&mut self, span: Span) {
        self.put(span.lo as usize, self.source.slice(span));
    }

    /// Appends what a slice of the source stands for; `text` must not be longer than the slice.
    pub fn push_as(&mut self, span: Span, text: &str) {
        self.put(span.lo as usize, text);
    }

    /// Appends a range of another view of the same source; it must come after all that is here.
    pub fn append(&mut self, other: &Self, range: Range<usize>) {
        let mut index = other.piece_at(range.start);
        let mut at = range.start;
        while at < range.end {
            index += 1;
            let end = other.pieces.get(index).map_or(range.end, |&(next, _)| next.min(range.end));
            let Some(text) = other.text.get(at..end) else { return };
            self.put(other.locate(at), text);
            at = end;
        }
    }

    fn put(&mut self, from: usize, text: &str) {
        if text.is_empty() {
            return;
        }
        let clean = self.text.len();
        let follows = self.pieces.last().is_some_and(|&(at, start)| start + (clean - at) == from);
        if !follows {
            self.pieces.push((clean, from));
        }
        self.text.to_mut().push_str(text);
    }

    /// Notes that the writer cut lines out here (`...`).
    pub fn cut(&mut self) {
        self.cuts.push(self.text.len());
    }

    /// Returns the clean text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the text of the whole source and where in it the view begins, if the view is a stretch of it as it is.
    pub(super) fn as_shared(&self) -> Option<(&'s Arc<String>, usize)> {
        match (&*self.pieces, &self.text) {
            (&[(0, from)], Cow::Borrowed(_)) => Some((self.source.shared_text(), from)),
            _ => None,
        }
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
        let (lo, mut hi) = match *self.pieces {
            // Almost every view is a file as it is: nothing has to be looked up.
            [(0, from)] => (from + range.start, from + range.end.max(range.start)),
            _ => {
                let lo = self.locate(range.start);
                (lo, if range.end > range.start { self.locate(range.end - 1) + 1 } else { lo })
            }
        };
        // A replaced character may be shorter than what stands in the source.
        while !self.source.text().is_char_boundary(hi) && hi < self.source.text().len() {
            hi += 1;
        }
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
        let mut view = TextView::empty(source);
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

    #[test]
    fn spans_lead_back_through_replaced_characters_and_appended_views() {
        let mut sources = Sources::default();
        let text = "a:\u{a0}1=3D2\nb: 3\n";
        let id = sources.add("mail", Origin::default(), Encoding::Utf8, text);
        let source = sources.get(id);
        let mut base = TextView::empty(source);
        base.push(Span::new(id, 0, 2));
        base.push_as(Span::new(id, 2, 4), " ");
        base.push(Span::new(id, 4, 5));
        base.push_as(Span::new(id, 5, 8), "=");
        base.push(Span::new(id, 8, 15));
        assert_eq!(base.text(), "a: 1=2\nb: 3\n");
        assert_eq!(source.slice(base.span(2..3)), "\u{a0}");
        let mut view = TextView::empty(source);
        view.append(&base, 3..7);
        view.append(&base, 10..12);
        assert_eq!(view.text(), "1=2\n3\n");
        assert_eq!(source.slice(view.span(0..3)), "1=3D2");
        assert_eq!(source.slice(view.span(4..5)), "3");
    }
}
