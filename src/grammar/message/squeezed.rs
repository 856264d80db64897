//! [`Squeezed`]: a message without blanks and in lower case, with the way back to its bytes.
//!
//! Texts arrive wrapped, folded, re-cased by hand and with blanks lost (`failedto`). All matching
//! is done on what survives that: the sequence of visible bytes. Only ASCII letters change case,
//! so every byte here is one byte of the text, and a range here is a range there.

use std::ops::Range;

/// A text reduced to its visible bytes, ASCII letters in lower case.
pub(super) struct Squeezed {
    bytes: Vec<u8>,
    /// Where each byte stands in the text.
    at: Vec<usize>,
}

impl Squeezed {
    /// Reduces a text.
    pub(super) fn new(text: &str) -> Self {
        let mut squeezed =
            Self { bytes: Vec::with_capacity(text.len()), at: Vec::with_capacity(text.len()) };
        for (start, char) in text.char_indices().filter(|(_, char)| !char.is_whitespace()) {
            let mut utf8 = [0; 4];
            for (offset, byte) in char.encode_utf8(&mut utf8).bytes().enumerate() {
                squeezed.bytes.push(byte.to_ascii_lowercase());
                squeezed.at.push(start + offset);
            }
        }
        squeezed
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
        let end =
            range.end.checked_sub(1).and_then(|last| self.at.get(last)).map_or(0, |at| at + 1);
        if range.is_empty() {
            return end..end;
        }
        self.at.get(range.start).map_or(end, |at| *at)..end
    }

    /// Tells whether a blank, or the border of the text, stands before a position.
    pub(super) fn blank_before(&self, at: usize) -> bool {
        let Some(previous) = at.checked_sub(1).and_then(|previous| self.at.get(previous)) else {
            return true;
        };
        self.at.get(at).is_none_or(|here| here - previous > 1)
    }
}
