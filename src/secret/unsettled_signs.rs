//! Signs of Secrets that a look at their lines does not settle: those between braces, in escapes, or as Go prints them.

use std::ops::Range;

/// Signs of Secrets that the lines alone do not settle.
#[derive(Default)]
pub(super) struct Signs {
    /// Whether some may stand between braces.
    pub(super) in_braces: bool,
    /// Where all of them stand, in order.
    pub(super) places: Vec<usize>,
    /// Where some stand in lines with a backslash.
    pub(super) escaped: Vec<usize>,
    /// Where some stand as Go prints maps and structures.
    pub(super) printed: Vec<usize>,
    line: Range<usize>,
    has_brace: bool,
    has_escape: bool,
    has_map: bool,
}

impl Signs {
    /// Notes a sign, with what its line holds besides.
    pub(super) fn note(&mut self, text: &str, sign: Range<usize>) {
        if sign.start >= self.line.end {
            let bytes = text.as_bytes();
            let before = bytes.get(..sign.start).unwrap_or_default();
            let start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
            let after = bytes.get(sign.end..).unwrap_or_default();
            let end = memchr::memchr(b'\n', after).map_or(bytes.len(), |at| sign.end + at);
            let line = bytes.get(start..end).unwrap_or_default();
            self.has_brace = memchr::memchr3(b'{', b',', b'"', line).is_some();
            self.has_escape = memchr::memchr(b'\\', line).is_some();
            self.has_map = self.has_brace && memchr::memmem::find(line, b"map[string]").is_some();
            self.line = start..end;
        }
        let word = text.get(sign.clone()).unwrap_or_default();
        self.in_braces |= self.has_brace;
        self.places.push(sign.start);
        if self.has_escape {
            self.escaped.push(sign.start);
        }
        let printed = |before: &str| text.get(..sign.start).is_some_and(|it| it.ends_with(before));
        let structure = text.as_bytes().get(sign.end) == Some(&b'{');
        if word == "Secret" && (structure || self.has_map || printed("kind:")) {
            self.printed.push(sign.start);
        }
    }
}

/// Says whether a sign is not the end of a longer word: `metadata` is none.
pub(super) fn is_whole_word(text: &str, start: usize) -> bool {
    let before = text.as_bytes().get(..start).unwrap_or_default();
    before.ends_with(b"string") || !before.last().is_some_and(u8::is_ascii_alphanumeric)
}
