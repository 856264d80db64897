//! Scalars of the strict reader: which are plain for sure, and those that go on over lines or are escaped.

use super::super::events::{Events, ScalarForm, TagHint, YamlEvent};
use super::super::from_events::place;
use super::super::lines::{Lines, YamlLine};
use super::maker::Maker;
use super::{Placed, Reader};
use crate::syntax::tree::Value;

impl<'v, M: Maker<'v>> Reader<'v, M> {
    /// Reads a block of lines as they are, as kubectl prints texts of several lines; takes no line where it gives up.
    pub(super) fn literal_block(
        &mut self,
        header: &str,
        start: usize,
        indent: usize,
    ) -> Option<Placed<M::Node>> {
        let keeps_break = match header {
            "|" => true,
            "|-" => false,
            _ => return None,
        };
        let mut behind = self.clone_place();
        while behind.1.is_some_and(|next| next.indent > indent) {
            behind.1 = behind.0.next();
        }
        let end = behind.1.map_or(self.end, |next| next.start);
        let block = self.text.get(start + header.len()..end)?;
        let lines = block.strip_prefix('\n')?.strip_suffix('\n')?;
        // A block begins and ends with a line that says something: only then chomping is plain.
        if lines.is_empty() || lines.starts_with('\n') || lines.ends_with('\n') {
            return None;
        }
        let first = self.next?;
        let depth = first.indent;
        let mut value = String::new();
        for line in lines.split('\n') {
            if !line.is_empty() {
                let (blanks, words) = line.split_at_checked(depth)?;
                if blanks.bytes().any(|byte| byte != b' ') || words.trim_ascii().is_empty() {
                    return None;
                }
                if M::BUILDS {
                    value.push_str(words);
                }
            }
            if M::BUILDS {
                value.push('\n');
            }
        }
        if !keeps_break {
            value.pop();
        }
        (self.lines, self.next) = behind;
        let range = first.content()..start + header.len() + block.trim_ascii_end().len();
        let spelled = self.text.get(range.clone())?;
        Some((self.maker.spelled(spelled, range.clone(), Value::String(value.into())), range))
    }

    /// Returns where the reader is, to go back there.
    fn clone_place(&self) -> (Lines<'v>, Option<YamlLine<'v>>) {
        (self.lines.clone(), self.next)
    }

    /// Reads words that go on over several lines, none of them blank or doubtful; takes no line where it gives up.
    pub(super) fn folded_words(
        &mut self,
        text: &'v str,
        start: usize,
        indent: usize,
    ) -> Option<Placed<M::Node>> {
        if !is_plain_value(text) || matches!(text, "|" | ">") {
            return None;
        }
        let (words, end) = self.fold_lines(text, start, indent, |_, next| is_plain_inside(next))?;
        let spelled = self.text.get(start..end)?;
        Some((self.maker.spelled(spelled, start..end, self.maker.resolve(&words)), start..end))
    }

    /// Reads a text in quotes that goes on over several lines, none of them blank or doubtful; takes no line where it gives up.
    ///
    /// kubectl breaks long messages at a blank, which is what a line break between words means.
    pub(super) fn folded_quote(
        &mut self,
        text: &'v str,
        start: usize,
        indent: usize,
    ) -> Option<Placed<M::Node>> {
        let quote = text.bytes().next().filter(|quote| matches!(quote, b'"' | b'\''))?;
        let before = self.clone_place();
        let is_open =
            |words: &str, _: &str| words.len() == 1 || words.as_bytes().last() != Some(&quote);
        let (words, end) = self.fold_lines(text, start, indent, is_open)?;
        // A break behind a backslash, or before one with a blank, is an escape that is not read here.
        let is_closed = !is_open(&words, "");
        let inner = words.get(1..words.len() - 1).filter(|_| is_closed);
        let value = inner.and_then(|inner| unescape(inner, quote));
        let Some((value, spelled)) = value.zip(self.text.get(start..end)) else {
            (self.lines, self.next) = before;
            return None;
        };
        let range = start..end;
        Some((self.maker.spelled(spelled, range.clone(), Value::String(value.into())), range))
    }

    /// Joins a text with the lines below it by blanks, and returns where they end; `fits` is asked of what was joined so far and
    /// of the next line. Takes no line where one does not fit.
    fn fold_lines(
        &mut self,
        text: &'v str,
        start: usize,
        indent: usize,
        fits: impl Fn(&str, &str) -> bool,
    ) -> Option<(String, usize)> {
        let (before, mut end) = (self.clone_place(), start + text.len());
        let mut words = text.to_owned();
        while let Some(next) = self.next.filter(|next| next.indent > indent) {
            let gap = self.text.get(end..next.start);
            if gap != Some("\n") || next.text.contains('\t') || !fits(&words, next.text) {
                (self.lines, self.next) = before;
                return None;
            }
            words.push(' ');
            words.push_str(next.text);
            end = next.content() + next.text.len();
            self.advance();
        }
        Some((words, end))
    }

    /// Hands a scalar with all its lines to the full parser.
    pub(super) fn scalar_of_lines(
        &mut self,
        text: &str,
        start: usize,
        indent: usize,
    ) -> Option<Placed<M::Node>> {
        let block = matches!(text, "|" | "|-" | "|+" | ">" | ">-" | ">+");
        if !block && !text.starts_with(['"', '\'']) && !is_plain_value(text) {
            return None;
        }
        while self.next.is_some_and(|next| next.indent > indent) {
            self.advance();
        }
        let end = self.next.map_or(self.end, |next| next.start);
        let mut events = Events::new(self.text.get(start..end)?);
        let mut next = || events.next().and_then(Result::ok);
        let (YamlEvent::DocumentStart, _) = next()? else { return None };
        let (YamlEvent::Scalar { text, form, hint: TagHint::None, anchor: 0 }, range) = next()?
        else {
            return None;
        };
        let (YamlEvent::DocumentEnd, _) = next()? else { return None };
        if events.next().is_some() {
            return None;
        }
        let range = start + range.start..start + range.end;
        let (outer, inner) = place(self.text, range, form, &text);
        let plain = form == ScalarForm::Plain;
        let value = if plain { self.maker.resolve(&text) } else { Value::String(text.into()) };
        let spelled = self.text.get(inner.clone()).unwrap_or_default();
        Some((self.maker.spelled(spelled, inner, value), outer))
    }
}

/// Returns with what an escape begins in a text in such quotes.
pub(super) fn mark_of(quote: u8) -> u8 {
    if quote == b'"' { b'\\' } else { b'\'' }
}

/// Returns what a text in quotes of one line means, if it has no other escapes than the usual ones.
pub(super) fn unescape(inner: &str, quote: u8) -> Option<String> {
    let mark = mark_of(quote);
    let mut value = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(at) = memchr::memchr2(quote, mark, rest.as_bytes()) {
        let (before, escape) = rest.split_at_checked(at)?;
        value.push_str(before);
        value.push(match (quote, escape.as_bytes()) {
            (b'\'', [b'\'', b'\'', ..]) => '\'',
            (b'"', [b'\\', b'"', ..]) => '"',
            (b'"', [b'\\', b'\\', ..]) => '\\',
            (b'"', [b'\\', b'n', ..]) => '\n',
            (b'"', [b'\\', b't', ..]) => '\t',
            _ => return None,
        });
        rest = escape.get(2..)?;
    }
    value.push_str(rest);
    Some(value)
}

/// Says whether a line of text is surely a plain scalar that means itself.
pub(super) fn is_plain_value(text: &str) -> bool {
    let mut bytes = text.bytes();
    let (first, second) = (bytes.next().unwrap_or(b'#'), bytes.next().unwrap_or(b' '));
    let word =
        |byte: u8| byte.is_ascii_alphanumeric() || byte >= 0x80 || b"/._(<$+~^;\\=".contains(&byte);
    let fits = word(first) || first == b'-' && word(second);
    // At the start of a text of its own, dots would end a document.
    fits && !text.starts_with("...") && is_plain_inside(text)
}

/// Says whether a line of text surely ends no plain scalar that it is a part of.
fn is_plain_inside(text: &str) -> bool {
    let blank = |at: Option<usize>| {
        at.and_then(|at| text.as_bytes().get(at)).is_none_or(u8::is_ascii_whitespace)
    };
    !memchr::memchr2_iter(b':', b'#', text.as_bytes()).any(|at| match text.as_bytes().get(at) {
        Some(b':') => blank(Some(at + 1)),
        _ => blank(at.checked_sub(1)),
    })
}
