//! Byte ranges: [`SourceId`], [`Span`] and [`Spanned`].

use std::ops::{Deref, Range};

/// The number of a source in its [`Sources`](super::Sources) arena, given out in path order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceId(pub u32);

/// A byte range of one source; `lo` is inclusive, `hi` exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The source that the offsets count in.
    pub source: SourceId,
    /// The first byte.
    pub lo: u32,
    /// The byte after the last one.
    pub hi: u32,
}

impl Span {
    /// Makes a span from offsets; offsets beyond 4 GiB saturate (sources are limited far below).
    pub fn new(source: SourceId, lo: usize, hi: usize) -> Self {
        let clamp = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Self { source, lo: clamp(lo), hi: clamp(hi.max(lo)) }
    }

    /// Returns the offsets as a range for slicing.
    pub fn range(self) -> Range<usize> {
        self.lo as usize..self.hi as usize
    }

    /// Returns the smallest span that covers both; `other` must be of the same source.
    pub fn to(self, other: Self) -> Self {
        debug_assert_eq!(self.source, other.source);
        Self { source: self.source, lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    /// Says whether `other` lies inside this span.
    pub fn contains(self, other: Self) -> bool {
        self.source == other.source && self.lo <= other.lo && other.hi <= self.hi
    }

    /// Returns the span at `range`, counted from this span's start.
    pub fn within(self, range: Range<usize>) -> Self {
        let base = self.lo as usize;
        Self::new(self.source, base + range.start, base + range.end)
    }

    /// Says whether the span covers no byte.
    pub fn is_empty(self) -> bool {
        self.lo == self.hi
    }

    /// Returns the empty span at the start of this one.
    pub fn start(self) -> Self {
        Self { hi: self.lo, ..self }
    }
}

/// A value together with the place it was read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Where it stands.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// Pairs a value with its place.
    pub fn new(value: T, span: Span) -> Self {
        Self { value, span }
    }
}

impl<T> Deref for Spanned<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}
