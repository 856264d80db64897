//! A miette source over prepared lines.
//!
//! miette's own sources scan from byte 0 for every label and print input as it is. This one holds
//! only the lines that are shown, already cleaned and clipped, with their true numbers.
//! Invariant: every prepared line ends in a line break, and a label lies within one line.

use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

use crate::engine::Place;
use crate::report::snippet;
use crate::source::SourceFile;

pub(super) struct Excerpt {
    path: String,
    text: String,
    /// For each prepared line: where it starts in `text`, and its number in the file, from zero.
    lines: Vec<(usize, usize)>,
    /// For each place, where it starts in `text` and its column in the file, from zero.
    columns: Vec<(usize, usize)>,
}

impl Excerpt {
    /// Prepares the lines of some places of one file; returns where each place stands in the excerpt.
    pub(super) fn new(
        file: &SourceFile,
        path: String,
        places: &[&Place],
        width: usize,
    ) -> (Self, Vec<SourceSpan>) {
        let mut rows: Vec<(usize, &Place)> =
            places.iter().map(|place| (snippet::line(file, place.span, width).0, *place)).collect();
        rows.sort_by_key(|(line, place)| (*line, place.span));
        let mut excerpt =
            Self { path, text: String::new(), lines: Vec::new(), columns: Vec::new() };
        let mut spans = vec![SourceSpan::from(0..0); places.len()];
        for (line, place) in rows {
            let (_, prepared) = snippet::line(file, place.span, width);
            let number = file.line_number(line) as usize - 1;
            // Two places in one long line are clipped apart: each gets its own copy of the line.
            let start = match excerpt.lines.last() {
                Some(&(start, last))
                    if last == number
                        && excerpt.text.get(start..) == Some(&format!("{}\n", prepared.text)) =>
                {
                    start
                }
                _ => {
                    excerpt.lines.push((excerpt.text.len(), number));
                    excerpt.text.push_str(&prepared.text);
                    excerpt.text.push('\n');
                    excerpt.lines.last().map_or(0, |&(start, _)| start)
                }
            };
            let shown = start + prepared.place.start..start + prepared.place.end;
            excerpt.columns.push((shown.start, place.start.column.saturating_sub(1) as usize));
            if let Some(index) = places.iter().position(|other| std::ptr::eq(*other, place))
                && let Some(slot) = spans.get_mut(index)
            {
                *slot = SourceSpan::from(shown);
            }
        }
        (excerpt, spans)
    }
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        _lines_before: usize,
        _lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let at = |offset: usize| {
            self.lines.partition_point(|&(start, _)| start <= offset).saturating_sub(1)
        };
        let first = at(span.offset());
        let last = at((span.offset() + span.len()).saturating_sub(1).max(span.offset()));
        let (start, number) = self.lines.get(first).copied().ok_or(MietteError::OutOfBounds)?;
        // Lines that are neighbours here but not in the file must not be drawn as one piece.
        let consecutive = self.lines.get(first..=last).is_some_and(|lines| {
            lines
                .windows(2)
                .all(|pair| matches!(pair, [(_, left), (_, right)] if right - left == 1))
        });
        if !consecutive {
            return Err(MietteError::OutOfBounds);
        }
        let end = self.lines.get(last + 1).map_or(self.text.len(), |&(start, _)| start);
        let data = self.text.as_bytes().get(start..end).ok_or(MietteError::OutOfBounds)?;
        // Only the head of the drawing shows the column; the drawing itself goes by lines.
        let column = self
            .columns
            .iter()
            .find(|(at, _)| *at == span.offset())
            .map_or(0, |(_, column)| *column);
        Ok(Box::new(MietteSpanContents::new_named(
            self.path.clone(),
            data,
            SourceSpan::from(start..end),
            number,
            column,
            last - first + 1,
        )))
    }
}
