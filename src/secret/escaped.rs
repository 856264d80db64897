//! Texts within a text: what stands between quotes with its breaks and quotes escaped, as in logs and annotations.

use std::ops::Range;

/// A text without one level of escapes, with the way back.
pub(super) struct Unescaped {
    text: String,
    /// Where each byte of it stands outside; one more for the end.
    places: Vec<u32>,
    start: usize,
}

impl Unescaped {
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Returns where a part of it stands in the text outside.
    pub(super) fn way_back(&self, part: Range<usize>) -> Range<usize> {
        let place =
            |at: usize| self.places.get(at).map_or(self.start, |at| self.start + *at as usize);
        place(part.start)..place(part.end)
    }

    fn new(outside: &str, start: usize) -> Self {
        let (mut text, mut places) = (String::with_capacity(outside.len()), Vec::new());
        let mut chars = outside.char_indices();
        while let Some((at, c)) = chars.next() {
            let c = match c {
                '\\' => match chars.next().map(|(_, escaped)| escaped) {
                    Some('n') => '\n',
                    Some('t') => ' ',
                    Some('r') => '\r',
                    // YAML breaks a long string so; it goes on behind the blanks.
                    Some('\n') => {
                        while chars.as_str().starts_with(' ') {
                            chars.next();
                        }
                        continue;
                    }
                    Some(escaped) => escaped,
                    None => '\\',
                },
                c => c,
            };
            let place = u32::try_from(at).unwrap_or(u32::MAX);
            places.extend(std::iter::repeat_n(place, c.len_utf8()));
            text.push(c);
        }
        places.push(u32::try_from(outside.len()).unwrap_or(u32::MAX));
        Self { text, places, start }
    }
}

/// Finds the texts with escapes that hold some offsets, which stand in order; each is made once, when it is asked for.
pub(super) fn texts_at<'t>(
    text: &'t str,
    offsets: &'t [usize],
) -> impl Iterator<Item = Unescaped> + use<'t> {
    let mut done = 0;
    offsets.iter().filter_map(move |&offset| {
        if offset < done {
            return None;
        }
        let range = around(text, offset);
        done = range.end;
        let inner = text.get(range.clone())?;
        inner.contains('\\').then(|| Unescaped::new(inner, range.start))
    })
}

/// Returns a text with all levels of escapes taken away.
pub(super) fn unescape(text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..super::DEEPEST {
        if !text.contains('\\') {
            break;
        }
        text = Unescaped::new(&text, 0).text;
    }
    text
}

/// Finds the string around an offset: from quote to quote, none of them escaped, or the line.
fn around(text: &str, offset: usize) -> Range<usize> {
    let bytes = text.as_bytes();
    let escaped = |at: usize| {
        let before = bytes.get(..at).unwrap_or_default();
        before.iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1
    };
    let ends = |at: usize| !escaped(at);
    let before = bytes.get(..offset).unwrap_or_default();
    let start = memchr::memrchr2_iter(b'"', b'\n', before).find(|&at| ends(at));
    let after = bytes.get(offset..).unwrap_or_default();
    let end = memchr::memchr2_iter(b'"', b'\n', after).map(|at| offset + at).find(|&at| ends(at));
    start.map_or(0, |at| at + 1)..end.unwrap_or(bytes.len())
}
