//! A miette source over prepared lines.
//!
//! miette's own sources scan from byte 0 for every label and print input as it is. This one holds
//! only the lines that are shown, already cleaned and clipped, as if they were neighbours.
//! Invariant: every prepared line ends in a line break, and a mark lies within one line.

use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

use crate::engine::Place;
use crate::report::snippet;
use crate::source::{SourceFile, Span};

/// Of a place that is longer, the first lines are shown.
const MAX_LINES: usize = 3;

/// The lines of some places of one file.
pub(super) struct Excerpt {
    text: String,
    /// For each prepared line: where it starts in `text`, and its number in the file, from one.
    lines: Vec<(usize, usize)>,
}

/// A piece of a line to be underlined, and what to say there.
pub(super) struct Underline<'p> {
    pub(super) span: SourceSpan,
    pub(super) label: Option<&'p str>,
}

impl Excerpt {
    /// Prepares the lines of some places of one file; returns what to underline in them.
    pub(super) fn new<'p>(
        file: &SourceFile,
        places: &[&'p Place],
        width: usize,
    ) -> (Self, Vec<Underline<'p>>) {
        let mut pieces: Vec<(usize, Span, Option<&str>)> = Vec::new();
        for place in places {
            let spans = pieces_of(file, place.span);
            let spans = match is_long(file, &spans, place.span, width) {
                true => pieces_of(file, snippet::significant_part(file, place.span, &place.label)),
                false => spans,
            };
            let last = spans.len().saturating_sub(1);
            for (index, (line, span)) in spans.into_iter().enumerate() {
                pieces.push((line, span, (index == last).then_some(&*place.label)));
            }
        }
        pieces.sort_by_key(|(line, span, _)| (*line, *span));
        let mut excerpt = Self { text: String::new(), lines: Vec::new() };
        let mut marks = Vec::with_capacity(pieces.len());
        for (line, span, label) in pieces {
            let (_, prepared) = snippet::line(file, span, width);
            let number = file.line_number(line) as usize;
            // Two places in one long line are clipped apart: each gets its own copy of the line.
            let start = match excerpt.lines.last() {
                Some(&(start, last))
                    if last == number
                        && excerpt.text.get(start..) == Some(&format!("{}\n", prepared.text)) =>
                {
                    start
                }
                _ => {
                    let start = excerpt.text.len();
                    excerpt.lines.push((start, number));
                    excerpt.text.push_str(&prepared.text);
                    excerpt.text.push('\n');
                    start
                }
            };
            let shown = start + prepared.place.start..start + prepared.place.end;
            marks.push(Underline { span: SourceSpan::from(shown), label });
        }
        (excerpt, marks)
    }

    /// Returns the true numbers of the lines.
    pub(super) fn numbers(&self) -> Vec<usize> {
        self.lines.iter().map(|(_, number)| *number).collect()
    }
}

/// Says whether not all of a place can be shown.
fn is_long(file: &SourceFile, pieces: &[(usize, Span)], span: Span, width: usize) -> bool {
    let shown = pieces.last().is_some_and(|(_, last)| file.without_blanks(span).hi <= last.hi);
    let is_cut = |(_, piece): &(usize, Span)| {
        let (_, line) = snippet::line(file, *piece, width);
        line.text.get(line.place).is_some_and(|text| text.ends_with('…'))
    };
    !shown || pieces.iter().any(is_cut)
}

/// Cuts a place into the pieces that lie on its first lines, each without the blanks around it.
fn pieces_of(file: &SourceFile, span: Span) -> Vec<(usize, Span)> {
    let first = file.line_index(span.lo);
    let last = file.line_index(span.hi).min(file.line_count().saturating_sub(1));
    let mut pieces = Vec::new();
    for index in first..=last.max(first) {
        let line = file.line_span(index);
        let (lo, hi) = (span.lo.max(line.lo), span.hi.min(line.hi));
        let piece = file.without_blanks(Span { lo, hi: hi.max(lo), ..span });
        if piece.hi > piece.lo {
            pieces.push((index, piece));
        }
        if pieces.len() == MAX_LINES {
            break;
        }
    }
    if pieces.is_empty() {
        pieces.push((first, span));
    }
    pieces
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        _: &SourceSpan,
        _: usize,
        _: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        // Always all of it: the lines of a file share a box.
        let (data, all) = (self.text.as_bytes(), SourceSpan::from(0..self.text.len()));
        Ok(Box::new(MietteSpanContents::new(data, all, 0, 0, self.lines.len())))
    }
}
