//! [`Decoder`]: the bytes of a file to UTF-8, piece by piece.
//!
//! UTF-8 keeps its length: each invalid byte becomes one `?`, so offsets are those of the file as it
//! was sent, and a byte order mark stays. UTF-16 is decoded and loses its mark.
//! Invariant: any way of cutting the bytes into pieces gives the same text.

use crate::source::Encoding;

/// How code units stand in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CodeUnits {
    Utf8,
    Utf16Le,
    Utf16Be,
}

/// Turns pieces of a file into text.
#[derive(Debug)]
pub(crate) struct Decoder {
    form: CodeUnits,
    /// Bytes of a character that the next piece completes: at most three.
    carry: Vec<u8>,
    at_start: bool,
    is_invalid: bool,
}

impl Decoder {
    pub(crate) fn new(form: CodeUnits) -> Self {
        Self { form, carry: Vec::new(), at_start: true, is_invalid: false }
    }

    /// Returns the encoding, as far as the text was read.
    pub(crate) fn encoding(&self) -> Encoding {
        match self.form {
            CodeUnits::Utf8 if !self.is_invalid => Encoding::Utf8,
            CodeUnits::Utf8 => Encoding::Utf8Invalid,
            CodeUnits::Utf16Le => Encoding::Utf16Le,
            CodeUnits::Utf16Be => Encoding::Utf16Be,
        }
    }

    /// Says whether the pieces are UTF-8 as they are, so that nothing has to be decoded.
    pub(crate) fn is_plain(&self) -> bool {
        self.form == CodeUnits::Utf8
    }

    /// Returns the bytes that wait for the next piece, if the pieces are UTF-8 as they are.
    pub(crate) fn give_up(&mut self) -> Vec<u8> {
        if self.is_plain() { std::mem::take(&mut self.carry) } else { Vec::new() }
    }

    /// Appends the text of the next piece.
    pub(crate) fn push(&mut self, piece: &[u8], out: &mut String) {
        if self.carry.is_empty() {
            let used = self.decode(piece, out);
            self.carry.extend_from_slice(piece.get(used..).unwrap_or_default());
        } else {
            let mut joined = std::mem::take(&mut self.carry);
            joined.extend_from_slice(piece);
            let used = self.decode(&joined, out);
            joined.drain(..used);
            self.carry = joined;
        }
    }

    /// Appends what an unfinished character at the end of the file amounts to.
    pub(crate) fn finish(&mut self, out: &mut String) {
        let lost = match self.form {
            CodeUnits::Utf8 => self.carry.len(),
            CodeUnits::Utf16Le | CodeUnits::Utf16Be => self.carry.len().div_ceil(2),
        };
        self.carry.clear();
        self.replace(lost, out);
    }

    fn replace(&mut self, count: usize, out: &mut String) {
        self.is_invalid |= count > 0;
        out.extend(std::iter::repeat_n('?', count));
    }

    /// Decodes all whole characters and returns how many bytes they took.
    fn decode(&mut self, bytes: &[u8], out: &mut String) -> usize {
        match self.form {
            CodeUnits::Utf8 => self.decode_utf8(bytes, out),
            CodeUnits::Utf16Le => self.decode_utf16(bytes, u16::from_le_bytes, out),
            CodeUnits::Utf16Be => self.decode_utf16(bytes, u16::from_be_bytes, out),
        }
    }

    fn decode_utf8(&mut self, bytes: &[u8], out: &mut String) -> usize {
        let mut used = 0;
        while let Some(rest) = bytes.get(used..).filter(|rest| !rest.is_empty()) {
            let (text, bad) = match std::str::from_utf8(rest) {
                Ok(text) => (text, Some(0)),
                Err(error) => {
                    let valid = rest.get(..error.valid_up_to()).unwrap_or_default();
                    (std::str::from_utf8(valid).unwrap_or_default(), error.error_len())
                }
            };
            out.push_str(text);
            used += text.len();
            match bad {
                Some(count) => {
                    self.replace(count, out);
                    used += count;
                }
                None => break,
            }
        }
        used
    }

    fn decode_utf16(
        &mut self,
        bytes: &[u8],
        unit: impl Fn([u8; 2]) -> u16 + Copy,
        out: &mut String,
    ) -> usize {
        let (pairs, _) = bytes.as_chunks::<2>();
        let high = |pair: &[u8; 2]| matches!(unit(*pair), 0xD800..=0xDBFF);
        // The low half of the last pair may be in the next piece.
        let whole = pairs.len() - usize::from(pairs.last().is_some_and(high));
        let units = pairs.iter().take(whole).map(|pair| unit(*pair));
        out.reserve(whole);
        for result in char::decode_utf16(units) {
            match result {
                Ok('\u{FEFF}') if self.at_start => {}
                Ok(char) => out.push(char),
                Err(_) => self.replace(1, out),
            }
            self.at_start = false;
        }
        2 * whole
    }
}

/// Makes a text of whole characters in UTF-8, in place; says whether some bytes were none.
pub(crate) fn decode_utf8(bytes: Vec<u8>) -> (String, bool) {
    String::from_utf8(bytes).map(|text| (text, false)).unwrap_or_else(|error| {
        let (mut decoder, mut text) = (Decoder::new(CodeUnits::Utf8), String::new());
        decoder.push(error.as_bytes(), &mut text);
        decoder.finish(&mut text);
        (text, true)
    })
}

/// Decodes a whole text in UTF-16, which says so by its mark; any other text is none of that.
pub fn decode_utf16(bytes: &[u8]) -> Option<(Encoding, String)> {
    let form = match bytes {
        [0xFF, 0xFE, ..] => CodeUnits::Utf16Le,
        [0xFE, 0xFF, ..] => CodeUnits::Utf16Be,
        _ => return None,
    };
    let (mut decoder, mut text) = (Decoder::new(form), String::new());
    decoder.push(bytes, &mut text);
    decoder.finish(&mut text);
    Some((decoder.encoding(), text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn whole(form: CodeUnits, bytes: &[u8]) -> String {
        let (mut decoder, mut out) = (Decoder::new(form), String::new());
        decoder.push(bytes, &mut out);
        decoder.finish(&mut out);
        out
    }

    #[test]
    fn invalid_bytes_keep_every_offset() {
        assert_eq!(whole(CodeUnits::Utf8, b"a\xff\xe2\x82b\xc3\xa9\xe2\x82"), "a???bé??");
    }

    #[test]
    fn utf16_loses_its_mark_and_survives_halves() {
        assert_eq!(whole(CodeUnits::Utf16Le, b"\xff\xfea\0\x3d\xd8\x00\xde\x3d\xd8b\0!"), "a😀?b?");
        assert_eq!(whole(CodeUnits::Utf16Be, b"\xfe\xff\0a\xd8\x3d"), "a?");
    }

    proptest! {
        #[test]
        fn pieces_make_no_difference(
            bytes in proptest::collection::vec(prop_oneof![any::<u8>(), Just(0xd8), Just(0xe2), Just(0)], 0..80),
            cuts in proptest::collection::vec(0_usize..80, 0..6),
        ) {
            for form in [CodeUnits::Utf8, CodeUnits::Utf16Le, CodeUnits::Utf16Be] {
                let (mut decoder, mut out) = (Decoder::new(form), String::new());
                let mut cuts: Vec<usize> = cuts.iter().map(|&cut| cut.min(bytes.len())).collect();
                cuts.sort_unstable();
                cuts.push(bytes.len());
                let mut from = 0;
                for cut in cuts {
                    decoder.push(&bytes[from..cut], &mut out);
                    from = cut;
                }
                decoder.finish(&mut out);
                prop_assert_eq!(&out, &whole(form, &bytes));
                if form == CodeUnits::Utf8 {
                    prop_assert_eq!(out.len(), bytes.len());
                }
            }
        }
    }
}
