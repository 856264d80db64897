//! [`Normalized`]: a message without blanks and in lower case, with the way back to its bytes.
//!
//! Texts arrive wrapped, folded, re-cased by hand and with blanks lost (`failedto`). All matching
//! is done on what survives that: the sequence of visible bytes, ASCII letters in lower case. What
//! an editor made of a quote, a dash or of "is not" is undone, in templates as in texts.
//! Every byte here stands for some bytes of the text, so a range here is a range there.

use std::ops::Range;

/// A text reduced to its visible bytes, ASCII letters in lower case.
pub(super) struct Normalized {
    bytes: Vec<u8>,
    /// Where each byte stands in the text, and how many bytes it stands for.
    at: Vec<(usize, usize)>,
}

impl Normalized {
    /// Reduces a text.
    pub(super) fn new(text: &str) -> Self {
        let mut normalized =
            Self { bytes: Vec::with_capacity(text.len()), at: Vec::with_capacity(text.len()) };
        for (start, char) in text.char_indices().filter(|(_, char)| !char.is_whitespace()) {
            match typed(char) {
                '\'' => normalized.push_apostrophe(text, start, char.len_utf8()),
                typed if typed != char => {
                    let mut utf8 = [0; 4];
                    let typed = typed.encode_utf8(&mut utf8);
                    normalized.push(typed, start, char.len_utf8());
                }
                _ => {
                    let mut utf8 = [0; 4];
                    for (offset, byte) in char.encode_utf8(&mut utf8).bytes().enumerate() {
                        normalized.bytes.push(byte.to_ascii_lowercase());
                        normalized.at.push((start + offset, 1));
                    }
                }
            }
        }
        normalized
    }

    /// Adds bytes that all stand for one character.
    fn push(&mut self, text: &str, start: usize, width: usize) {
        for byte in text.bytes() {
            self.bytes.push(byte);
            self.at.push((start, width));
        }
    }

    /// Adds an apostrophe; that of "isn't" is the "o" of "is not".
    fn push_apostrophe(&mut self, text: &str, start: usize, width: usize) {
        let before = text.get(..start).unwrap_or_default();
        let mut after = text.get(start + width..).unwrap_or_default().chars();
        let shortened = before.ends_with(['n', 'N'])
            && after.next().is_some_and(|t| t.eq_ignore_ascii_case(&'t'))
            && !after.next().is_some_and(char::is_alphanumeric);
        let can = self.bytes.ends_with(b"can");
        let stands_for = if !shortened {
            "'"
        } else if can {
            "no"
        } else {
            "o"
        };
        self.push(stands_for, start, width);
    }

    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the bytes of a range; empty if the range is not inside.
    pub(super) fn bytes(&self, range: Range<usize>) -> &[u8] {
        self.bytes.get(range).unwrap_or_default()
    }

    /// Returns where a range stands in the text, blanks at its ends left out.
    pub(super) fn origin(&self, range: Range<usize>) -> Range<usize> {
        let last = range.end.checked_sub(1).and_then(|last| self.at.get(last));
        let end = last.map_or(0, |(at, width)| at + width);
        if range.is_empty() {
            return end..end;
        }
        self.at.get(range.start).map_or(end, |(at, _)| *at)..end
    }

    /// Tells whether a blank, or the border of the text, stands before a position.
    pub(super) fn blank_before(&self, at: usize) -> bool {
        let Some((previous, width)) = at.checked_sub(1).and_then(|previous| self.at.get(previous))
        else {
            return true;
        };
        self.at.get(at).is_none_or(|(here, _)| *here > previous + width)
    }
}

/// Returns the character of the keyboard that an editor has replaced by a nicer one.
fn typed(char: char) -> char {
    match char {
        '“' | '”' | '„' | '‟' | '«' | '»' => '"',
        '‘' | '’' | '‚' | '‛' | '`' | '´' => '\'',
        '–' | '—' | '‑' => '-',
        other => other,
    }
}
