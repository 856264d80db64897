//! From a part of a scalar's value to the characters that spell it.
//!
//! Owns the way back through folds, quotes and escapes, so that a label underlines one cluster name
//! inside a long message, whichever syntax wrote it. Blanks are elastic: a line break with its
//! indentation, the quote marks of a mail in front of it and a single blank all stand for each
//! other; everything else must agree character by character.
//! Invariant: the result lies inside the node's span and on character borders.

use std::ops::Range;

use super::json::lexeme;
use super::tree::{Node, Style};
use crate::source::{SourceFile, Span};

/// Returns the place of a byte range of a scalar's value, or the whole node's place where the text
/// cannot be followed.
pub fn span_within(source: &SourceFile, node: &Node, range: Range<usize>) -> Span {
    let Some(value) = node.text() else { return node.span };
    let value = &*value.value;
    if value.get(range.clone()).is_none() {
        return node.span;
    }
    if node.style == Style::Plain {
        return node.span.within(range);
    }
    let raw = source.slice(node.span);
    let quoted = ['"', '\''].into_iter().find_map(|quote| {
        let inner = raw.strip_prefix(quote)?.strip_suffix(quote)?;
        let form = if quote == '"' { Form::Double } else { Form::Single };
        follow(value, inner, form, range.clone()).map(|found| found.start + 1..found.end + 1)
    });
    let found = quoted.or_else(|| follow(value, raw, Form::Bare, range));
    found.map_or(node.span, |found| node.span.within(found))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Bare,
    Single,
    Double,
}

/// Walks value and raw text in step, and returns the raw range that spells `range` of the value.
fn follow(value: &str, raw: &str, form: Form, range: Range<usize>) -> Option<Range<usize>> {
    let (mut at, mut raw_at) = (0, 0);
    let (mut start, mut end) = (None, 0);
    while at < value.len() {
        let here = value.get(at..)?.chars().next()?;
        let width = here.len_utf8();
        let blank = here.is_whitespace();
        let past_blanks = skip_blanks(raw, raw_at, form, here);
        let next = if blank { past_blanks } else { next_char(raw, past_blanks, form)?.1 };
        if !blank && next_char(raw, past_blanks, form)?.0 != Some(here) {
            return None;
        }
        if at >= range.start && start.is_none() {
            start = Some(if blank { raw_at } else { past_blanks });
        }
        if at < range.end {
            end = next;
        }
        (at, raw_at) = (at + width, next);
        if at >= range.end && start.is_some() {
            break;
        }
    }
    let start = start.unwrap_or(raw_at);
    Some(start..end.max(start))
}

/// Steps over blanks, escaped ones too, and over the quote marks that a mail puts before a line
/// unless the value goes on with such a mark.
fn skip_blanks(raw: &str, mut at: usize, form: Form, wanted: char) -> usize {
    let mut fresh_line = false;
    while let Some((here, next)) = next_char(raw, at, form) {
        let mark = fresh_line && matches!(here, Some('>' | '|')) && here != Some(wanted);
        if !mark && here.is_some_and(|here| !here.is_whitespace()) {
            break;
        }
        fresh_line |= raw.get(at..next).is_some_and(|text| text.contains('\n'));
        at = next;
    }
    at
}

/// Reads one character of the raw text; `None` in place of the character for an escaped line break.
fn next_char(raw: &str, at: usize, form: Form) -> Option<(Option<char>, usize)> {
    let rest = raw.get(at..)?;
    let here = rest.chars().next()?;
    match form {
        Form::Single if rest.starts_with("''") => Some((Some('\''), at + 2)),
        Form::Double if here == '\\' => {
            if let Ok((behind, escaped)) = lexeme::escape(rest) {
                return Some((Some(escaped), raw.len() - behind.len()));
            }
            yaml_escape(rest.get(1..)?).map(|(escaped, length)| (escaped, at + 1 + length))
        }
        _ => Some((Some(here), at + here.len_utf8())),
    }
}

/// Reads what follows the backslash in an escape that YAML has beyond those of JSON.
fn yaml_escape(rest: &str) -> Option<(Option<char>, usize)> {
    let kind = rest.chars().next()?;
    let hex = |digits: usize| {
        let code = u32::from_str_radix(rest.get(1..=digits)?, 16).ok()?;
        Some((Some(char::from_u32(code)?), 1 + digits))
    };
    let plain = match kind {
        'x' => return hex(2),
        'U' => return hex(8),
        '\n' => return Some((None, 1)),
        '\r' => return Some((None, if rest.starts_with("\r\n") { 2 } else { 1 })),
        ' ' | '\t' => kind,
        '0' => '\0',
        'a' => '\u{7}',
        'v' => '\u{b}',
        'e' => '\u{1b}',
        'N' => '\u{85}',
        '_' => '\u{a0}',
        'L' => '\u{2028}',
        'P' => '\u{2029}',
        _ => return None,
    };
    Some((Some(plain), 1))
}

#[cfg(test)]
mod tests;
