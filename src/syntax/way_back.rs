//! Where ranges of a text stand in its source, for readers that may outlive the view of it.

use std::ops::Range;

use super::text_view::TextView;
use crate::source::{SourceId, Span};

/// The way from a text back to its source.
#[derive(Clone, Copy)]
pub(super) enum WayBack<'v> {
    /// As the view says.
    Viewed(&'v TextView<'v>),
    /// At an offset.
    Straight { source: SourceId, base: usize },
}

impl<'v> WayBack<'v> {
    /// Takes the way of a view.
    pub(super) fn of(view: &'v TextView<'_>) -> Self {
        match view.as_shared() {
            Some((_, base)) => Self::Straight { source: view.source().id(), base },
            None => Self::Viewed(view),
        }
    }

    /// Returns the span of a range, which begins and ends between characters.
    pub(super) fn span(self, range: Range<usize>) -> Span {
        match self {
            WayBack::Viewed(view) => view.span(range),
            WayBack::Straight { source, base } => {
                Span::new(source, base + range.start, base + range.end)
            }
        }
    }
}
