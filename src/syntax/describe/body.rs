//! The body of a describe text: lines to nested fields, guided by the schema.
//!
//! Owns the stack of open frames and what happens to a line once [`line_place`](super::line_place) has said
//! where it belongs. A stack instead of recursion, because a fragment may begin at any depth and lost
//! indentation may leave several depths in one column; it also bounds the memory.
//! Invariant: the scalar that further text may continue always belongs to the top frame.

use std::ops::Range;

use smol_str::SmolStr;

use crate::source::Span;
use crate::syntax::text_view::TextView;
use crate::syntax::tree::{Entry, Fidelity, Node, Style};
use crate::syntax::tree_builder::{MAX_DEPTH, problem};
use crate::syntax::{Problem, ProblemKind};

use super::label_shape::LabelShape;
use super::line::{DescribeLine, Pad};
use super::line_place::LinePlace;
use super::open_field::{LineFit, Multiplicity, OpenField};

/// How much the text still is what kubectl printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Integrity {
    /// From its first line to its events, as printed.
    Intact,
    /// A fragment, or somebody cut or typed in it.
    Edited,
}

/// What became of the end of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextEnd {
    /// It is there.
    Shown,
    /// Somebody left it out.
    Missing,
    /// The text breaks off in the middle of a line.
    Torn,
}

/// A scalar that further lines may continue.
#[derive(Debug)]
struct OpenScalar<'g> {
    /// Its key, or `None` for an item of a list.
    key: Option<(SmolStr, Span)>,
    shape: LabelShape<'g>,
    text: String,
    range: Range<usize>,
    style: Style,
    fidelity: Fidelity,
    /// The column of its line.
    indent: usize,
    /// Blank lines since its last text.
    blanks: usize,
    /// Whether its text went on at the left margin.
    spilled: bool,
}

/// The frames that are open while the lines of one object are placed.
pub(super) struct DescribeBody<'g, 'l> {
    pub(super) view: &'l TextView<'l>,
    pub(super) condition: Integrity,
    pub(super) base: usize,
    pub(super) stack: Vec<OpenField<'g>>,
    scalar: Option<OpenScalar<'g>>,
    pub(super) problems: Vec<Problem>,
    /// Whether the last line that was not blank continued a scalar.
    pub(super) in_text: bool,
    /// The column of the value on the line before, where that line had one.
    pub(super) run_column: Option<usize>,
}

/// What a body became.
#[derive(Debug)]
pub(super) struct ParsedBody {
    /// The fields of the root.
    pub(super) entries: Vec<Entry>,
    /// How far to trust the root.
    pub(super) fidelity: Fidelity,
    /// What could not be read.
    pub(super) problems: Vec<Problem>,
}

/// Parses the lines of a body below the given frames, the outermost of which is the root.
pub(super) fn parse_body<'g, 'l>(
    view: &'l TextView<'l>,
    lines: &[DescribeLine<'_>],
    stack: Vec<OpenField<'g>>,
    condition: Integrity,
    base: usize,
    end: TextEnd,
) -> ParsedBody {
    let mut body = DescribeBody {
        view,
        condition,
        base,
        stack,
        scalar: None,
        problems: Vec::new(),
        in_text: false,
        run_column: None,
    };
    for index in 0..lines.len() {
        body.parse_line(lines.get(index..).unwrap_or_default());
    }
    match end {
        TextEnd::Shown => {}
        TextEnd::Missing => body.stack.iter_mut().for_each(OpenField::mark_cut),
        TextEnd::Torn => body.tear(),
    }
    body.finish()
}

impl<'g> DescribeBody<'g, '_> {
    /// Takes the first of some lines.
    fn parse_line(&mut self, lines: &[DescribeLine<'_>]) {
        let Some(line) = lines.first() else { return };
        if line.is_blank() {
            self.parse_blank(line);
            return;
        }
        let place = self.find_place(lines);
        if line.after_cut {
            self.cut(&place);
        }
        self.in_text = matches!(place, LinePlace::Text);
        let tabbed = matches!(place, LinePlace::Field { .. }) && line.is_tabbed();
        self.run_column = line.value_column().filter(|_| tabbed);
        match place {
            LinePlace::Field { depth, fit, lost } => {
                if lost {
                    self.lose_nesting(line);
                }
                self.parse_field(line, depth, fit);
            }
            LinePlace::Item { depth, lost } => {
                if lost {
                    self.lose_nesting(line);
                }
                self.parse_item(line, depth);
            }
            LinePlace::Text => self.parse_continuation(line),
            LinePlace::Skip => {}
            LinePlace::Nowhere => {
                let message = "the line fits nowhere and is left out";
                self.report(ProblemKind::Malformed, line, message);
            }
        }
    }

    /// Takes a line without text: an empty item of a list, or a line of a longer text.
    fn parse_blank(&mut self, line: &DescribeLine<'_>) {
        let depth = self.stack.len().saturating_sub(1);
        let is_item = self.stack.last().is_some_and(|top| {
            top.is_scalar_list()
                && line.indent > 0
                && top.column.unwrap_or(line.indent) == line.indent
        });
        if is_item && !self.in_text {
            self.parse_item(line, depth);
        } else if let Some(scalar) = &mut self.scalar {
            scalar.blanks += 1;
        }
    }

    /// Takes a labelled line as a field of the frame at `depth`.
    fn parse_field(&mut self, line: &DescribeLine<'_>, depth: usize, fit: LineFit<'g>) {
        self.close_to(depth + 1);
        let Some(frame) = self.stack.last_mut() else { return };
        frame.column.get_or_insert(line.indent);
        if fit.begins_item {
            frame.begin_item(line);
        }
        let key_span = self.view.span(line.label_range());
        let LineFit { field, .. } = fit;
        frame.last_key = Some(field.key.clone());
        let holds_more = match field.shape {
            LabelShape::Any => line.label.is_some_and(|label| label.pad == Pad::None),
            shape => shape.is_container(),
        };
        if holds_more && line.value().is_empty() {
            if self.stack.len() >= MAX_DEPTH {
                self.report(ProblemKind::TooLarge, line, "the text nests too deep");
                return;
            }
            let at = self.view.span(line.value_range());
            let mut frame = OpenField::new(field.key, key_span, field.shape, at);
            frame.indent = line.indent;
            frame.fidelity = field.fidelity;
            self.stack.push(frame);
            return;
        }
        let (text, range) = self.value_text(line, field.shape);
        let style = if range.len() == text.len() { Style::Plain } else { Style::Encoded };
        self.scalar = Some(OpenScalar {
            key: Some((field.key, key_span)),
            shape: field.shape,
            text,
            range,
            style,
            fidelity: field.fidelity,
            indent: line.indent,
            blanks: 0,
            spilled: false,
        });
    }

    /// Takes a line as an item of the list at `depth`.
    fn parse_item(&mut self, line: &DescribeLine<'_>, depth: usize) {
        self.close_to(depth + 1);
        let Some(frame) = self.stack.last_mut() else { return };
        let column = *frame.column.get_or_insert(line.indent);
        frame.begin_item(line);
        frame.form = Multiplicity::Many;
        let shape = frame.shape;
        // An item's own leading blanks stand behind the column of the list.
        let lead = match self.condition {
            Integrity::Intact if line.indent > column => line.indent - column,
            _ => 0,
        };
        let range = line.content_range();
        let range = range.start.saturating_sub(lead)..range.end;
        let text = self.view.text().get(range.clone()).unwrap_or_default().to_owned();
        self.scalar = Some(OpenScalar {
            key: None,
            shape,
            text,
            range,
            style: Style::Plain,
            fidelity: Fidelity::Read,
            indent: line.indent,
            blanks: 0,
            spilled: false,
        });
    }

    /// Takes a line as more text of the last scalar.
    ///
    /// kubectl prints the second line of a value at the left margin; a line that hangs deeper than
    /// its label was wrapped by a person and is joined with a blank.
    fn parse_continuation(&mut self, line: &DescribeLine<'_>) {
        let Some(scalar) = &mut self.scalar else { return };
        let wraps = !scalar.spilled && scalar.blanks == 0 && line.indent > scalar.indent;
        if wraps {
            scalar.text.push(' ');
            scalar.text.push_str(line.content());
        } else {
            scalar.text.extend(std::iter::repeat_n('\n', scalar.blanks + 1));
            scalar.text.push_str(line.text);
            scalar.spilled = true;
        }
        scalar.blanks = 0;
        scalar.style = Style::Encoded;
        scalar.range.end = line.at + line.text.len();
    }

    /// Returns the text of a value and its range, with what a person may have put around it undone.
    fn value_text(&self, line: &DescribeLine<'_>, shape: LabelShape<'_>) -> (String, Range<usize>) {
        let range = line.value_range();
        if self.condition == Integrity::Edited {
            let text = line.value();
            let bare = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
            let bare = bare.filter(|bare| shape.is_scalar() && !bare.contains('"'));
            return (bare.unwrap_or(text).to_owned(), range);
        }
        // As printed, trailing blanks are the value's own.
        let range = range.start..line.at + line.text.len();
        (self.view.text().get(range.clone()).unwrap_or_default().to_owned(), range)
    }

    /// Closes the frames above the first `depth`.
    pub(super) fn close_to(&mut self, depth: usize) {
        self.close_scalar();
        while self.stack.len() > depth.max(1) {
            let Some(frame) = self.stack.pop() else { return };
            let hidden = matches!(frame.shape, LabelShape::Hidden);
            let entry = frame.finish();
            if let Some(parent) = self.stack.last_mut()
                && !hidden
            {
                parent.entries.push(entry);
            }
        }
    }

    fn close_scalar(&mut self) {
        let Some(mut scalar) = self.scalar.take() else { return };
        // A text that ends in a line break shows as an empty line before the next field.
        if self.condition == Integrity::Intact {
            scalar.text.extend(std::iter::repeat_n('\n', scalar.blanks));
            if scalar.blanks > 0 {
                scalar.style = Style::Encoded;
            }
        }
        let (value, typed) = scalar.shape.value_of(&scalar.text);
        let mut node = Node::new(self.view.span(scalar.range), value);
        node.style = scalar.style;
        node.fidelity = typed.max(scalar.fidelity);
        let Some(frame) = self.stack.last_mut() else { return };
        match scalar.key {
            Some((key, key_span)) => frame.entries.push(Entry { key, key_span, node }),
            None => frame.items.push(node),
        }
    }

    /// Notes a cut before a line: everything that it closes, or stands in, may have lost something.
    fn cut(&mut self, place: &LinePlace<'g>) {
        let depth = match place {
            LinePlace::Field { depth, .. } | LinePlace::Item { depth, .. } => *depth,
            _ => self.stack.len().saturating_sub(1),
        };
        self.stack.iter_mut().skip(depth).for_each(OpenField::mark_cut);
    }

    fn lose_nesting(&mut self, line: &DescribeLine<'_>) {
        let message = "the indentation was lost; the nesting is rebuilt from the schema";
        self.report(ProblemKind::LostNesting, line, message);
        for frame in &mut self.stack {
            frame.fidelity = frame.fidelity.max(Fidelity::Inferred);
        }
    }

    /// Reports the first trouble of a kind; more of the same would say nothing new.
    fn report(&mut self, kind: ProblemKind, line: &DescribeLine<'_>, message: &str) {
        if !self.problems.iter().any(|problem| problem.kind == kind) {
            let span = self.view.span(line.content_range());
            self.problems.push(problem(kind, span, message));
        }
    }

    /// Notes that the text breaks off in the last line.
    fn tear(&mut self) {
        self.stack.iter_mut().for_each(OpenField::mark_cut);
        if let Some(scalar) = &mut self.scalar {
            scalar.fidelity = Fidelity::Cut;
            let span = self.view.span(scalar.range.clone());
            let message = "the text breaks off here";
            self.problems.push(problem(ProblemKind::Truncated, span, message));
        }
    }

    fn finish(mut self) -> ParsedBody {
        self.close_to(1);
        let root = self.stack.pop();
        let fidelity = root.as_ref().map_or(Fidelity::Cut, |root| root.fidelity);
        let entries = root.map(|root| root.entries).unwrap_or_default();
        ParsedBody { entries, fidelity, problems: self.problems }
    }

    /// Says whether text may continue the last scalar; two blank lines stand between objects.
    pub(super) fn takes_text(&self) -> bool {
        let apart =
            |scalar: &OpenScalar<'_>| scalar.blanks >= 2 && self.condition == Integrity::Edited;
        self.scalar.as_ref().is_some_and(|scalar| !apart(scalar))
    }

    /// Says whether there is a scalar that text could continue.
    pub(super) fn has_scalar(&self) -> bool {
        self.scalar.is_some()
    }
}
