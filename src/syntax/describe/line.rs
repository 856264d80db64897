//! [`DescribeLine`]: one line of describe text, taken apart into indent, label, padding and value.
//!
//! Owns what can be said about a line without its neighbours; what a label means is left to the
//! frames. Columns count characters, as kubectl's table writer does, offsets count bytes.
//! Invariant: every line is a slice of the clean text, so that `at + offset` is a position in it.

use std::ops::Range;

use nom::branch::alt;
use nom::bytes::complete::{is_not, tag, take_while};
use nom::character::complete::char;
use nom::combinator::{eof, not, peek, recognize};
use nom::multi::many1_count;
use nom::sequence::{pair, terminated};
use nom::{IResult, Parser};

use crate::grammar::schema::fold_label;
use crate::syntax::text_view::TextView;

/// What stands between a label's colon and its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pad {
    /// The line ends at the colon: an object, a list, or `""` whose blanks an editor removed.
    None,
    /// Only blanks follow: the empty string, as kubectl prints it.
    Trailing,
    /// One blank, which kubectl never prints: somebody typed this line.
    Narrow,
    /// Two blanks or more, then a value.
    Wide,
}

/// The label of a line, by byte offsets in the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LineLabel {
    /// Where the colon stands.
    pub(super) colon: usize,
    /// Where the value begins.
    pub(super) value: usize,
    /// What stands between them.
    pub(super) pad: Pad,
}

/// One line of the clean text.
#[derive(Clone, Copy, Debug)]
pub(super) struct DescribeLine<'t> {
    /// Where it begins in the clean text.
    pub(super) at: usize,
    /// Its text, without the line break.
    pub(super) text: &'t str,
    /// How many columns of blanks it begins with.
    pub(super) indent: usize,
    /// Where its first other character stands.
    pub(super) body: usize,
    /// Its label, if it looks like having one.
    pub(super) label: Option<LineLabel>,
    /// Whether somebody cut lines out before it.
    pub(super) after_cut: bool,
}

impl<'t> DescribeLine<'t> {
    fn new(at: usize, text: &'t str) -> Self {
        let text = text.strip_suffix('\r').unwrap_or(text);
        let body = text.len() - text.trim_start_matches(is_blank).len();
        let indent = columns(text.get(..body).unwrap_or_default());
        let label = text.get(body..).and_then(parse_label).map(|label| LineLabel {
            colon: label.colon + body,
            value: label.value + body,
            ..label
        });
        Self { at, text, indent, body, label, after_cut: false }
    }

    /// Says whether nothing but blanks stands on the line.
    pub(super) fn is_blank(&self) -> bool {
        self.body == self.text.len()
    }

    /// Returns the text from the first character that is no blank, without trailing blanks.
    pub(super) fn content(&self) -> &'t str {
        self.text.get(self.body..).unwrap_or_default().trim_end_matches(is_blank)
    }

    /// Returns the range of [`DescribeLine::content`] in the clean text.
    pub(super) fn content_range(&self) -> Range<usize> {
        self.at + self.body..self.at + self.body + self.content().len()
    }

    /// Returns the text of the label, without its colon.
    pub(super) fn label_text(&self) -> Option<&'t str> {
        self.label.and_then(|label| self.text.get(self.body..label.colon))
    }

    /// Returns the range of the label in the clean text.
    pub(super) fn label_range(&self) -> Range<usize> {
        let colon = self.label.map_or(self.body, |label| label.colon);
        self.at + self.body..self.at + colon
    }

    /// Returns the text behind the label, without trailing blanks.
    pub(super) fn value(&self) -> &'t str {
        let value = self.label.and_then(|label| self.text.get(label.value..));
        value.unwrap_or_default().trim_end_matches(is_blank)
    }

    /// Returns the range of [`DescribeLine::value`] in the clean text; empty at the line's end for `""`.
    pub(super) fn value_range(&self) -> Range<usize> {
        let value = self.label.map_or(self.text.len(), |label| label.value);
        self.at + value..self.at + value + self.value().len()
    }

    /// Returns the column at which the value begins.
    pub(super) fn value_column(&self) -> Option<usize> {
        let label = self.label?;
        self.text.get(..label.value).map(columns)
    }

    /// Takes a key of YAML, which has one blank behind its colon, for a label.
    pub(super) fn widen_key(&mut self) {
        let is_key = self.label_text().is_some_and(|label| !label.contains(' '));
        if let Some(label) = self.label.as_mut().filter(|label| is_key && label.pad == Pad::Narrow)
        {
            label.pad = Pad::Wide;
        }
    }

    /// Says whether the line has this label, in any spelling of blanks and letters.
    pub(super) fn is_label(&self, name: &str) -> bool {
        self.label_text().is_some_and(|label| fold_label(label) == fold_label(name))
    }

    /// Says whether kubectl put a tab behind the label, that is, whether the line carries a scalar.
    pub(super) fn is_tabbed(&self) -> bool {
        self.label.is_some_and(|label| matches!(label.pad, Pad::Wide | Pad::Trailing))
    }
}

/// Splits the clean text into lines; a line that only says "cut here" becomes a mark on the next.
///
/// The flag says whether a cut is the last thing in the text.
pub(super) fn split_lines<'t>(view: &'t TextView<'_>) -> (Vec<DescribeLine<'t>>, bool) {
    let text = view.text();
    let mut cuts = view.cuts().iter().copied().peekable();
    let mut lines = Vec::new();
    let mut cut = false;
    let mut at = 0;
    for piece in text.split_inclusive('\n') {
        while cuts.next_if(|&offset| offset <= at).is_some() {
            cut = true;
        }
        let mut start = at;
        at += piece.len();
        let mut piece = piece.strip_suffix('\n').unwrap_or(piece);
        if start == 0
            && let Some(rest) = piece.strip_prefix('\u{feff}')
        {
            start += piece.len() - rest.len();
            piece = rest;
        }
        let mut line = DescribeLine::new(start, piece);
        if is_cut(line.content()) {
            cut = true;
            continue;
        }
        if !line.is_blank() {
            line.after_cut = std::mem::take(&mut cut);
        }
        lines.push(line);
    }
    (lines, cut || cuts.next().is_some())
}

/// Says whether a line only tells that lines were left out.
fn is_cut(content: &str) -> bool {
    let content = content.trim_start_matches('#').trim();
    matches!(content, "..." | "…" | "[...]" | "[…]" | "<snip>" | "....")
}

/// Reads `LABEL:` and its padding at the start of a line's content.
fn parse_label(content: &str) -> Option<LineLabel> {
    let wide = pair(label_of_kubectl, pair(char(':'), take_while(is_blank))).parse(content);
    if let Ok((rest, (name, (_, blanks)))) = wide {
        let pad = match (blanks.is_empty(), rest.is_empty()) {
            (true, _) => Pad::None,
            (false, true) => Pad::Trailing,
            (false, false) => Pad::Wide,
        };
        return Some(LineLabel { colon: name.len(), value: name.len() + 1 + blanks.len(), pad });
    }
    let narrow: IResult<&str, (&str, &str)> = pair(is_not(":"), tag(": ")).parse(content);
    let (rest, (name, _)) = narrow.ok()?;
    let pad = if rest.trim_matches(is_blank).is_empty() { Pad::Trailing } else { Pad::Narrow };
    Some(LineLabel { colon: name.len(), value: name.len() + 2, pad })
}

/// Takes everything before the first colon that ends the line or has wide padding behind it.
fn label_of_kubectl(input: &str) -> IResult<&str, &str> {
    let end = alt((eof, tag("  "), tag("\t"), tag("\u{a0}")));
    recognize(many1_count(alt((is_not(":"), terminated(tag(":"), not(peek(end))))))).parse(input)
}

/// Says whether a character counts as blank: mails turn blanks into U+00A0, editors into tabs.
pub(super) fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\u{a0}')
}

/// Counts the columns of a text; a tab reaches to the next multiple of eight.
pub(super) fn columns(text: &str) -> usize {
    text.chars().fold(0, |column, c| if c == '\t' { (column / 8 + 1) * 8 } else { column + 1 })
}
