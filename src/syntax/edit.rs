//! Changes to a text that keep everything else in it: comments, order, quotes, line ends.
//!
//! Owns [`TextEdit`], what is to become of a value, and its way to [`Edit`]s of the text. It works for
//! block and flow style, and so for JSON. Which change repairs what is left to the rules.
//! Invariant: a change that cannot be made without touching something else gives no edit at all.

mod add;
mod remove;
#[cfg(test)]
mod tests;

use std::ops::Range;

use crate::source::{SourceFile, Span};

/// A piece of text and what comes in its place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edit {
    /// What goes; empty where something is put in only.
    pub span: Span,
    /// The text that takes its place.
    pub replacement: String,
}

impl Edit {
    /// Says whether two edits of one file touch the same text or the same point.
    pub fn overlaps(&self, other: &Self) -> bool {
        let (one, two) = (self.span, other.span);
        one.source == two.source
            && if one.is_empty() || two.is_empty() {
                one.lo <= two.hi && two.lo <= one.hi
            } else {
                one.lo < two.hi && two.lo < one.hi
            }
    }
}

/// An entry of a map or an item of a list, with what stands beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditTarget {
    /// From the key, or the start of the item, to the end of the value.
    pub span: Span,
    /// The neighbour before it.
    pub before: Option<Span>,
    /// The neighbour behind it.
    pub after: Option<Span>,
}

impl EditTarget {
    /// Widens all spans over the quotes of what they begin and end with.
    fn quoted(&self, text: &str) -> Self {
        let quote = |at: Option<usize>| {
            at.and_then(|at| text.as_bytes().get(at)).is_some_and(|b| matches!(b, b'"' | b'\''))
        };
        let widen = |span: Span| {
            let Range { start, end } = span.range();
            let start = if quote(start.checked_sub(1)) { start - 1 } else { start };
            Span::new(span.source, start, if quote(Some(end)) { end + 1 } else { end })
        };
        Self {
            span: widen(self.span),
            before: self.before.map(widen),
            after: self.after.map(widen),
        }
    }
}

/// A value that is to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NewValue {
    /// Text.
    Text(String),
    /// `{}`.
    EmptyMap,
    /// `[]`.
    EmptyList,
    /// A map with one key.
    Under(&'static str, Box<Self>),
}

/// What is to become of a part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextEdit {
    /// Another word in place of a scalar or a key, in the same quotes.
    Replace(Span, String),
    /// A bare scalar becomes text.
    Quote(Span),
    /// A number becomes the text that spells it in the usual way.
    Spell(Span, i64),
    /// Digits in quotes become a number.
    Unquote(Span),
    /// An entry of a map goes.
    RemoveEntry(EditTarget),
    /// An item of a list goes.
    RemoveItem(EditTarget),
    /// A key comes behind an entry of a map.
    Add(EditTarget, &'static str, NewValue),
    /// The only entry of a map takes the place of the entry that holds the map: outer, then inner.
    Unnest(Span, Span),
}

impl TextEdit {
    /// Returns the place that changes.
    pub fn span(&self) -> Span {
        match self {
            Self::Replace(span, _)
            | Self::Quote(span)
            | Self::Spell(span, _)
            | Self::Unquote(span) => *span,
            Self::Unnest(outer, _) => *outer,
            Self::RemoveEntry(piece) | Self::RemoveItem(piece) | Self::Add(piece, ..) => piece.span,
        }
    }

    /// Works out the edit, or `None` if the text around does not allow it.
    pub fn edit(&self, source: &SourceFile) -> Option<Edit> {
        let text = source.text();
        let scalar =
            matches!(self, Self::Replace(..) | Self::Quote(_) | Self::Spell(..) | Self::Unquote(_));
        if scalar && is_shared(text, self.span().range()) {
            return None;
        }
        let (range, replacement) = match self {
            Self::Replace(span, word) => reword(text, *span, word)?,
            Self::Quote(span) => {
                let bare = text.get(span.range()).filter(|bare| !bare.is_empty())?;
                let odd = |c: char| c.is_control() || c == '"' || c == '\\';
                if quote_around(text, *span).is_some() || bare.contains(odd) {
                    return None;
                }
                (span.range(), format!("\"{bare}\""))
            }
            Self::Spell(span, number) => {
                if quote_around(text, *span).is_some() {
                    return None;
                }
                (span.range(), format!("\"{number}\""))
            }
            Self::Unquote(span) => {
                let digits = text.get(span.range())?;
                let plain = digits.bytes().all(|byte| byte.is_ascii_digit())
                    && (digits == "0" || !digits.starts_with('0'))
                    && !digits.is_empty();
                quote_around(text, *span).filter(|_| plain)?;
                (outer(text, *span), digits.to_owned())
            }
            Self::RemoveEntry(piece) => (remove::entry(text, &piece.quoted(text))?, String::new()),
            Self::RemoveItem(piece) => (remove::item(text, &piece.quoted(text))?, String::new()),
            Self::Add(piece, key, value) => {
                let (at, addition) = add::behind(text, &piece.quoted(text), key, value)?;
                (at..at, addition)
            }
            Self::Unnest(outer, inner) => raise(text, outer.range(), inner.range())?,
        };
        text.get(range.clone())?;
        Some(Edit { span: Span::new(source.id(), range.start, range.end), replacement })
    }
}

/// Puts another word into the quotes that are there.
fn reword(text: &str, span: Span, word: &str) -> Option<(Range<usize>, String)> {
    let old = text.get(span.range())?;
    let encoded = old.starts_with(['"', '\'']);
    if encoded || old == word || old.contains(['\n', '\r']) || !is_plain(word) {
        return None;
    }
    Some((span.range(), word.to_owned()))
}

/// Moves the lines of an inner entry out to where the outer one begins.
fn raise(text: &str, outer: Range<usize>, inner: Range<usize>) -> Option<(Range<usize>, String)> {
    let (start, second) = (line_start(text, outer.start), line_start(text, inner.start));
    let (lead, deep) = (text.get(start..outer.start)?, text.get(second..inner.start)?);
    let blank = |lead: &str| lead.bytes().all(|byte| byte == b' ');
    // Comments above the inner entry come along; one behind the outer key has no place to go.
    let mut head = text.get(outer.start..second)?.split_inclusive('\n');
    let first = head.next()?;
    let sole =
        first.trim_end().ends_with(':') && head.all(|line| line.trim_start().starts_with('#'));
    let second = outer.start + first.len();
    if in_flow(text, inner.end) || !sole || !blank(lead) || !blank(deep) {
        return None;
    }
    let depth = deep.len().checked_sub(lead.len()).filter(|depth| *depth > 0)?;
    let end = line_end(text, inner.end);
    let shallow = |line: &str| {
        let blanks = line.bytes().take_while(|byte| *byte == b' ').count();
        line.get(blanks.min(depth)..).unwrap_or_default().to_owned()
    };
    Some((start..end, text.get(second..end)?.split_inclusive('\n').map(shallow).collect()))
}

/// Says whether a word can stand without quotes and is text then.
fn is_plain(word: &str) -> bool {
    let safe = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'/' | b'-');
    let number = word.starts_with(|c: char| !c.is_ascii_alphabetic());
    let duration =
        word.ends_with(['h', 'm', 's']) && word.starts_with(|c: char| c.is_ascii_digit());
    (!number || duration)
        && !word.is_empty()
        && word.bytes().all(safe)
        && !matches!(
            word.to_ascii_lowercase().as_str(),
            "y" | "n" | "yes" | "no" | "on" | "off" | "true" | "false" | "null"
        )
}

/// Says whether a scalar is an alias, or carries the anchor of one: other places show the same text.
fn is_shared(text: &str, range: Range<usize>) -> bool {
    let before = text.get(..range.start).unwrap_or_default();
    let before = before.trim_end_matches(['"', '\'']);
    let word = before.trim_end_matches(' ').rsplit([' ', '\n']).next().unwrap_or_default();
    word.starts_with('&') || text.get(range).is_some_and(|text| text.starts_with('*'))
}

/// Returns the quote that stands around the text of a scalar.
fn quote_around(text: &str, span: Span) -> Option<u8> {
    let bytes = text.as_bytes();
    let before = *bytes.get(span.range().start.checked_sub(1)?)?;
    let behind = *bytes.get(span.range().end)?;
    (before == behind && matches!(before, b'"' | b'\'')).then_some(before)
}

/// Returns the range of a scalar with its quotes.
fn outer(text: &str, span: Span) -> Range<usize> {
    let range = span.range();
    if quote_around(text, span).is_some() { range.start - 1..range.end + 1 } else { range }
}

/// Returns where the line of an offset begins.
fn line_start(text: &str, at: usize) -> usize {
    text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1)
}

/// Returns where the line of an offset ends, before its line break.
fn line_end(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    let end = rest.find('\n').map_or(text.len(), |end| at + end);
    let line = text.get(at..end).unwrap_or_default();
    if line.ends_with('\r') { end - 1 } else { end }
}

/// Returns the first character behind an offset that is neither blank nor comment.
fn next_mark(text: &str, at: usize) -> Option<char> {
    let mut rest = text.get(at..)?;
    loop {
        rest = rest.trim_start();
        if !rest.starts_with('#') {
            return rest.chars().next();
        }
        rest = rest.find('\n').and_then(|end| rest.get(end..)).unwrap_or_default();
    }
}

/// Says whether what ends at an offset stands in brackets.
fn in_flow(text: &str, end: usize) -> bool {
    matches!(next_mark(text, end), Some(',' | '}' | ']'))
}
