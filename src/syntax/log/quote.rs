//! Quoted strings, as Go's `%q` and as JSON write them.
//!
//! Both escape with a backslash and end at the first bare quote; they differ only in the letters
//! after the backslash. The pieces keep their offsets, so that a decoded text leads back to the file.

use std::borrow::Cow;
use std::ops::Range;

/// A piece of a quoted string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum QuotedPiece<'r> {
    /// Characters that stand for themselves.
    Plain(&'r str),
    /// One character that was written as an escape of so many bytes.
    Escape(char, usize),
}

/// Walks the pieces of what stands between two quotes.
#[derive(Clone, Debug)]
pub(crate) struct QuotedPieces<'r> {
    rest: &'r str,
}

impl<'r> QuotedPieces<'r> {
    /// Starts at the first character after the opening quote; `raw` excludes both quotes.
    pub(crate) fn new(raw: &'r str) -> Self {
        Self { rest: raw }
    }
}

impl<'r> Iterator for QuotedPieces<'r> {
    type Item = QuotedPiece<'r>;

    fn next(&mut self) -> Option<QuotedPiece<'r>> {
        if self.rest.is_empty() {
            return None;
        }
        let plain = memchr::memchr(b'\\', self.rest.as_bytes()).unwrap_or(self.rest.len());
        if plain > 0 {
            let (piece, rest) = self.rest.split_at(plain);
            self.rest = rest;
            return Some(QuotedPiece::Plain(piece));
        }
        let (character, len) = escape(self.rest);
        self.rest = self.rest.get(len..).unwrap_or_default();
        Some(QuotedPiece::Escape(character, len))
    }
}

/// Reads one escape; an unknown one stands for the character after the backslash.
fn escape(text: &str) -> (char, usize) {
    let Some(letter) = text.chars().nth(1) else { return ('\\', 1) };
    let hex = |from: usize, digits: usize| {
        let code = text.get(from..from + digits)?;
        let all = code.bytes().all(|byte| byte.is_ascii_hexdigit());
        u32::from_str_radix(code, 16).ok().filter(|_| all)
    };
    let character = |code: u32| char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
    match letter {
        'n' => ('\n', 2),
        't' => ('\t', 2),
        'r' => ('\r', 2),
        'a' => ('\u{7}', 2),
        'b' => ('\u{8}', 2),
        'f' => ('\u{c}', 2),
        'v' => ('\u{b}', 2),
        // Go writes \x only for control characters and for bytes that are no UTF-8.
        'x' => match hex(2, 2) {
            Some(code) if code < 0x80 => (character(code), 4),
            Some(_) => (char::REPLACEMENT_CHARACTER, 4),
            None => ('x', 2),
        },
        'U' => hex(2, 8).map_or(('U', 2), |code| (character(code), 10)),
        'u' => {
            let Some(first) = hex(2, 4) else { return ('u', 2) };
            let paired = (0xD800..0xDC00).contains(&first) && text.get(6..8) == Some("\\u");
            match hex(8, 4).filter(|low| paired && (0xDC00..0xE000).contains(low)) {
                Some(low) => (character(0x1_0000 + ((first - 0xD800) << 10) + (low - 0xDC00)), 12),
                None => (character(first), 6),
            }
        }
        other => (other, 1 + other.len_utf8()),
    }
}

/// Returns the text between two quotes with its escapes undone.
pub(crate) fn unquote(raw: &str) -> Cow<'_, str> {
    if memchr::memchr(b'\\', raw.as_bytes()).is_none() {
        return Cow::Borrowed(raw);
    }
    let mut text = String::with_capacity(raw.len());
    for piece in QuotedPieces::new(raw) {
        match piece {
            QuotedPiece::Plain(plain) => text.push_str(plain),
            QuotedPiece::Escape(character, _) => text.push(character),
        }
    }
    Cow::Owned(text)
}

/// Returns the range inside the quotes of the string that opens at `at`, if it is closed.
pub(crate) fn quoted(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    if bytes.get(at) != Some(&b'"') {
        return None;
    }
    let mut from = at + 1;
    loop {
        let found = from + memchr::memchr2(b'"', b'\\', bytes.get(from..)?)?;
        if bytes.get(found) == Some(&b'"') {
            return Some(at + 1..found);
        }
        from = found + 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_of_both_dialects_are_undone() {
        for (raw, text) in [
            (r#"say \"hi\" \\ back"#, r#"say "hi" \ back"#),
            (r"a\tb\x00\x1b[0m", "a\tb\0\u{1b}[0m"),
            (r"a\u00a0b \u65e5 \U0001f600 \ud83d\ude00", "a\u{a0}b 日 😀 😀"),
            (r"\xff \ud83d", "\u{fffd} \u{fffd}"),
            (r"\q \u12 \", "q u12 \\"),
            ("é\\é", "éé"),
        ] {
            assert_eq!(unquote(raw), text);
        }
        assert!(matches!(unquote("plain"), Cow::Borrowed("plain")));
    }

    #[test]
    fn a_string_ends_at_its_first_bare_quote() {
        assert_eq!(quoted(br#""a\"b\\" c"#, 0), Some(1..7));
        assert_eq!(quoted(br#""a\"b"#, 0), None);
        assert_eq!(quoted(br#""a\"#, 0), None);
        assert_eq!(quoted(b"a", 0), None);
    }
}
