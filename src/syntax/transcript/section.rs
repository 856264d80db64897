//! A section while it is being collected: its lines, and the view they become.
//!
//! Owns what belongs to a section once it is open (dedenting, cuts, joined lines); which lines go
//! into it is for [`super::scan`] and [`super::continues`].
//! Invariant: a section that is an unbroken piece of the file becomes a view that copies nothing.

use super::command::Filter;
use super::json_depth::JsonDepth;
use super::lines::PasteLine;
use super::shape;
use crate::source::Span;
use crate::syntax::Context;
use crate::syntax::text_view::TextView;

/// What a section of a transcript is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SectionSyntax {
    /// YAML, an object or a fragment.
    Yaml,
    /// JSON.
    Json,
    /// `kubectl describe` text, an object or a fragment.
    Describe,
    /// A `kubectl get` table.
    Table,
    /// Names as `kubectl get -o name` prints them.
    Names,
    /// What a filter printed of an object.
    Projected,
    /// Lines of a log.
    Log,
}

/// A part of a transcript that some parser can read.
#[derive(Clone, Debug)]
pub(crate) struct Section<'s> {
    /// The syntax in which it is read.
    pub(crate) form: SectionSyntax,
    /// Its clean text.
    pub(crate) view: TextView<'s>,
    /// Its whole lines in the file.
    pub(crate) lines: Span,
    /// What its command says.
    pub(crate) context: Context,
    /// What was left out of the command's output.
    pub(crate) filter: Filter,
}

/// One line of an open section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    /// A line as it is.
    Line(PasteLine),
    /// The tail of the line before, put on a line of its own by whoever wrapped it.
    Tail(PasteLine),
    /// Lines that the writer left out.
    Cut,
}

/// A section that may still grow.
#[derive(Debug)]
pub(super) struct OpenSection {
    pub(super) form: SectionSyntax,
    /// The indentation of its first line.
    pub(super) base: usize,
    /// Whether the line before was blank.
    pub(super) after_blank: bool,
    /// Whether an `apiVersion` of the current YAML document was seen.
    pub(super) has_api_version: bool,
    /// Whether the events of a described object were reached.
    pub(super) in_events: bool,
    /// Whether the free text of a described ConfigMap was reached.
    pub(super) in_data: bool,
    /// How deep the JSON read so far is nested.
    pub(super) json: JsonDepth,
    pieces: Vec<Piece>,
    context: Context,
    filter: Filter,
}

impl OpenSection {
    pub(super) fn new(form: SectionSyntax, base: usize, context: Context, filter: Filter) -> Self {
        Self {
            form,
            base,
            after_blank: false,
            has_api_version: false,
            in_events: false,
            in_data: false,
            json: JsonDepth::default(),
            pieces: Vec::new(),
            context,
            filter,
        }
    }

    pub(super) fn push(&mut self, line: PasteLine) {
        self.pieces.push(Piece::Line(line));
    }

    pub(super) fn push_tail(&mut self, line: PasteLine) {
        self.pieces.push(Piece::Tail(line));
    }

    /// Says whether a line lies deeper than the margin of the section, so that it is part of a value.
    pub(super) fn encloses(&self, text: &str) -> bool {
        let structured = matches!(
            self.form,
            SectionSyntax::Yaml | SectionSyntax::Json | SectionSyntax::Describe
        );
        let data = self.in_data && text.starts_with(['#', '>', '%', '=', '-']);
        structured && (shape::indent(text) > self.base || data)
    }

    /// Says whether a line that could be root's prompt (`# kubectl …`) is a comment in YAML.
    pub(super) fn is_comment(&self, text: &str, next: &str) -> bool {
        self.form == SectionSyntax::Yaml
            && text.trim_start().starts_with('#')
            && shape::indent(next) >= self.base
            && shape::yaml_key(next).is_some_and(|key| key != "apiVersion")
    }

    /// Says whether nothing can follow: the brackets of JSON are closed.
    pub(super) fn is_complete(&self) -> bool {
        self.form == SectionSyntax::Json && self.json.is_complete()
    }

    pub(super) fn cut(&mut self) {
        self.pieces.push(Piece::Cut);
    }

    /// Turns the collected lines into a section; `None` if there are none.
    pub(super) fn finish<'s>(self, base: &TextView<'s>) -> Option<Section<'s>> {
        let Self { form, mut pieces, context, filter, .. } = self;
        let clean = base.text();
        let is_blank = |piece: &Piece| matches!(piece, Piece::Line(line) if line.text(clean).trim().is_empty());
        while pieces.last().is_some_and(is_blank) {
            pieces.pop();
        }
        let (first, last) =
            (pieces.iter().find_map(line_of)?, pieces.iter().rev().find_map(line_of)?);
        let lines = base.span(first.lo..last.next);
        let view = unbroken(base, &pieces, form)
            .unwrap_or_else(|| assemble(base, &pieces, dedent(clean, &pieces, form)));
        Some(Section { form, view, lines, context, filter })
    }
}

fn line_of(piece: &Piece) -> Option<PasteLine> {
    match piece {
        Piece::Line(line) | Piece::Tail(line) => Some(*line),
        Piece::Cut => None,
    }
}

/// Returns the view of pieces that follow each other in the text and need no dedenting.
fn unbroken<'s>(
    base: &TextView<'s>,
    pieces: &[Piece],
    form: SectionSyntax,
) -> Option<TextView<'s>> {
    let mut at = None;
    for piece in pieces {
        let Piece::Line(line) = piece else { return None };
        if line.start != line.lo || at.is_some_and(|at| at != line.lo) {
            return None;
        }
        at = Some(line.next);
    }
    let (_, amount) = dedent(base.text(), pieces, form);
    let first = line_of(pieces.first()?)?;
    (amount == 0).then(|| base.slice(first.lo..at.unwrap_or(first.lo)))
}

/// Returns by how much the first line and the others are to be dedented.
///
/// Only lines that show the form's structure count: a wrapped or spilled line may stand further left.
fn dedent(clean: &str, pieces: &[Piece], form: SectionSyntax) -> (usize, usize) {
    let shows = |text: &str| match form {
        SectionSyntax::Yaml => {
            shape::yaml_key(text).is_some() || text.trim_start().starts_with('-')
        }
        SectionSyntax::Describe => shape::label(text).is_some(),
        _ => !text.trim().is_empty(),
    };
    let mut indents = pieces.iter().filter_map(|piece| {
        let Piece::Line(line) = piece else { return None };
        let text = line.text(clean);
        shows(text).then(|| shape::indent(text))
    });
    let first = indents.next().unwrap_or(0);
    let Some(rest) = indents.min() else { return (first, first) };
    // A selection that began in the middle of a line: the first line lost its indentation.
    let ragged = first + dashes(clean, pieces) < rest && begins_scalar(clean, pieces, form);
    if ragged { (first, rest) } else { (first.min(rest), first.min(rest)) }
}

/// Returns how far the dashes of items put the first key further in than its line.
fn dashes(clean: &str, pieces: &[Piece]) -> usize {
    let first = pieces.iter().find_map(line_of).map(|line| line.text(clean)).unwrap_or_default();
    let body = first.trim_start();
    body.len() - body.trim_start_matches("- ").len()
}

/// Says whether the first line ends an entry, so that what follows cannot belong below it.
fn begins_scalar(clean: &str, pieces: &[Piece], form: SectionSyntax) -> bool {
    let first = pieces.iter().find_map(line_of).map(|line| line.text(clean)).unwrap_or_default();
    match form {
        SectionSyntax::Describe => shape::label(first).is_some_and(|label| label.padded),
        SectionSyntax::Yaml => {
            let value = first.split_once(": ").map(|(_, value)| value.trim()).unwrap_or_default();
            !value.is_empty() && !value.starts_with(['|', '>', '"', '\'', '#', '&', '!'])
        }
        _ => false,
    }
}

fn assemble<'s>(base: &TextView<'s>, pieces: &[Piece], dedent: (usize, usize)) -> TextView<'s> {
    let clean = base.text();
    let mut view = TextView::empty(base.source());
    let mut amount = dedent.0;
    // The end of the line before is held back: it becomes a blank if the next piece is its tail.
    let mut held: Option<PasteLine> = None;
    for piece in pieces {
        match piece {
            Piece::Cut => {
                release(&mut view, base, &mut held);
                view.cut();
            }
            Piece::Line(line) => {
                release(&mut view, base, &mut held);
                let skip = shape::indent(line.text(clean)).min(amount);
                view.append(base, line.start + skip..line.end);
                held = Some(*line);
                amount = dedent.1;
            }
            Piece::Tail(line) => {
                if let Some(before) = held.take() {
                    view.push_as(base.span(before.end..before.next), " ");
                }
                let skip = shape::indent(line.text(clean));
                view.append(base, line.start + skip..line.end);
                held = Some(*line);
            }
        }
    }
    release(&mut view, base, &mut held);
    view
}

fn release<'s>(view: &mut TextView<'s>, base: &TextView<'s>, held: &mut Option<PasteLine>) {
    if let Some(line) = held.take() {
        view.append(base, line.end..line.next);
    }
}
