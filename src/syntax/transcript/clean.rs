//! The text of a paste without what terminals, mail programs and wikis put into it.
//!
//! Takes out the line numbers of a viewer, colour codes and zero-width characters, turns exotic blanks into plain ones, and undoes
//! quoted-printable bodies of mails. The result is a view, so every offset leads back to the file.
//! Invariant: a file that holds nothing of this kind is not copied.

use std::ops::Range;

use super::gutter::behind_numbers;
use crate::source::{SourceFile, Span};
use crate::syntax::text_view::TextView;
use crate::syntax::{Problem, ProblemKind};

/// Returns a clean view of a whole source, and what could not be read of it.
pub(crate) fn clean(source: &SourceFile) -> (TextView<'_>, Vec<Problem>) {
    let text = source.text();
    if let Some(lines) = behind_numbers(text) {
        let mut cleaner = Cleaner { source, text, view: TextView::empty(source) };
        lines.into_iter().for_each(|line| cleaner.plain(line));
        return (cleaner.view, Vec::new());
    }
    let (encoded, problems) = parts(source);
    if encoded.is_empty() && !needs_cleaning(text) {
        return (TextView::whole(source, source.span()), problems);
    }
    let mut cleaner = Cleaner { source, text, view: TextView::empty(source) };
    let mut at = 0;
    for range in encoded {
        cleaner.plain(at..range.start);
        cleaner.quoted_printable(range.clone());
        at = range.end;
    }
    cleaner.plain(at..text.len());
    (cleaner.view, problems)
}

/// The lead bytes of every character that [`replacement`] knows, and the control characters.
fn needs_cleaning(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr::memchr3(0x1b, 0x07, 0x08, bytes).is_some()
        || memchr::memmem::find(bytes, "\u{a0}".as_bytes()).is_some()
        || memchr::memmem::find(bytes, &[0xe2, 0x80]).is_some()
        || memchr::memmem::find(bytes, "\u{feff}".as_bytes()).is_some()
}

/// Returns what a character stands for, or `None` if it stands for itself.
fn replacement(at: char) -> Option<&'static str> {
    match at {
        '\u{a0}' | '\u{2002}'..='\u{200a}' | '\u{202f}' => Some(" "),
        // Mail programs and word processors turn the quotes of YAML, JSON and logs into nicer ones.
        '“' | '”' | '„' | '‟' => Some("\""),
        '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{7}' | '\u{8}' => Some(""),
        _ => None,
    }
}

struct Cleaner<'s> {
    source: &'s SourceFile,
    text: &'s str,
    view: TextView<'s>,
}

impl Cleaner<'_> {
    fn span(&self, range: Range<usize>) -> Span {
        Span::new(self.source.id(), range.start, range.end)
    }

    fn plain(&mut self, range: Range<usize>) {
        let mut kept = range.start;
        let mut at = range.start;
        while let Some(next) = self.text.get(at..range.end).and_then(|rest| rest.chars().next()) {
            let len = next.len_utf8();
            let skip = if next == '\u{1b}' {
                Some((escape_len(self.text.get(at..range.end).unwrap_or_default()), ""))
            } else {
                replacement(next).map(|text| (len, text))
            };
            let Some((skip, text)) = skip else {
                at += len;
                continue;
            };
            self.view.push(self.span(kept..at));
            self.view.push_as(self.span(at..at + skip), text);
            at += skip;
            kept = at;
        }
        self.view.push(self.span(kept..range.end));
    }

    fn quoted_printable(&mut self, range: Range<usize>) {
        let mut at = range.start;
        while let Some(rest) = self.text.get(at..range.end) {
            let Some(sign) = memchr::memchr(b'=', rest.as_bytes()) else { break };
            self.plain(at..at + sign);
            let rest = rest.get(sign..).unwrap_or_default();
            at += sign + self.escape(at + sign, rest);
        }
        self.plain(at..range.end);
    }

    /// Undoes one `=` sequence and returns its length in the source.
    fn escape(&mut self, at: usize, rest: &str) -> usize {
        if rest.starts_with("=\r\n") {
            return 3;
        }
        if rest.starts_with("=\n") {
            return 2;
        }
        let mut bytes = Vec::with_capacity(4);
        // One character takes up to four `=XX`; stop as soon as they make one.
        while bytes.len() < 4 {
            let next = bytes.len() * 3;
            let Some(byte) = rest.get(next..next + 3).and_then(hex) else { break };
            bytes.push(byte);
            if let Ok(text) = std::str::from_utf8(&bytes) {
                let text = text.chars().next().and_then(replacement).unwrap_or(text);
                self.view.push_as(self.span(at..at + bytes.len() * 3), text);
                return bytes.len() * 3;
            }
        }
        self.view.push(self.span(at..at + 1));
        1
    }
}

fn hex(sequence: &str) -> Option<u8> {
    let digits = sequence.strip_prefix('=')?;
    let plain = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    plain.then(|| u8::from_str_radix(digits, 16).ok()).flatten()
}

/// Returns the length of a terminal control sequence that starts with ESC.
fn escape_len(text: &str) -> usize {
    let bytes = text.as_bytes();
    let end = match bytes.get(1) {
        Some(b'[') => bytes.iter().skip(2).position(|byte| (0x40..=0x7e).contains(byte)),
        Some(b']') => bytes.iter().skip(2).take(200).position(|byte| matches!(byte, 7 | 0x5c)),
        _ => return bytes.len().min(1),
    };
    end.map_or(1, |end| end + 3)
}

/// Finds the quoted-printable parts of a mail; a base64 part cannot be shown and is a problem.
fn parts(source: &SourceFile) -> (Vec<Range<usize>>, Vec<Problem>) {
    let text = source.text();
    let mut encoded = Vec::new();
    let mut problems = Vec::new();
    let mut boundary = None;
    let mut part: Option<usize> = None;
    let mut encoding = Encoding::Plain;
    if memchr::memmem::find(text.as_bytes(), b"ransfer-").is_none() {
        return (encoded, problems);
    }
    let mut header = true;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        let trimmed = line.trim_end();
        let is_boundary = boundary.is_some_and(|mark: &str| {
            trimmed.strip_prefix("--").is_some_and(|rest| rest.starts_with(mark))
        });
        if is_boundary {
            encoded.extend(part.take().map(|from| from..start));
            header = true;
            encoding = Encoding::Plain;
        } else if header && trimmed.is_empty() {
            header = false;
            match encoding {
                Encoding::QuotedPrintable => part = Some(end),
                Encoding::Base64 => problems.push(unread(source, start)),
                Encoding::Plain => {}
            }
        } else if header {
            boundary = boundary_of(trimmed).or(boundary);
            encoding = encoding_of(trimmed).unwrap_or(encoding);
        }
        start = end;
    }
    encoded.extend(part.map(|from| from..text.len()));
    (encoded, problems)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Plain,
    QuotedPrintable,
    Base64,
}

fn unread(source: &SourceFile, at: usize) -> Problem {
    Problem {
        kind: ProblemKind::Malformed,
        span: Span::new(source.id(), at, at),
        other: None,
        message: "a part of this mail is base64 text and was not read".to_owned(),
    }
}

fn boundary_of(line: &str) -> Option<&str> {
    let rest = line.split_once("boundary=")?.1;
    let mark = rest.trim_start_matches('"').split(['"', ';', ' ']).next()?;
    (!mark.is_empty()).then_some(mark)
}

fn encoding_of(line: &str) -> Option<Encoding> {
    let (name, value) = line.split_once(':')?;
    if !name.eq_ignore_ascii_case("content-transfer-encoding") {
        return None;
    }
    Some(match value.trim() {
        value if value.eq_ignore_ascii_case("quoted-printable") => Encoding::QuotedPrintable,
        value if value.eq_ignore_ascii_case("base64") => Encoding::Base64,
        _ => Encoding::Plain,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Encoding as Coding, Origin, Sources};

    fn cleaned(text: &str) -> (String, usize) {
        let mut sources = Sources::default();
        let id = sources.add("mail", Origin::default(), Coding::Utf8, text);
        let (view, problems) = clean(sources.get(id));
        for (at, character) in view.text().char_indices() {
            let span = view.span(at..at + character.len_utf8());
            assert!(text.get(span.range()).is_some(), "{at}");
        }
        (view.text().to_owned(), problems.len())
    }

    #[test]
    fn colours_and_exotic_blanks_go() {
        let (text, _) = cleaned("\u{1b}[1;31mName:\u{a0}\u{a0}web\u{1b}[0m\u{200b}\nb\u{1b}");
        assert_eq!(text, "Name:  web\nb");
    }

    #[test]
    fn quoted_printable_is_undone() {
        let mail = "From: a\nContent-Transfer-Encoding: quoted-printable\n\nLabels:=C2=A0 a=3Db, lo=\r\nng=\nest =E2=82=AC =ZZ\n";
        let (text, _) = cleaned(mail);
        assert!(text.ends_with("\n\nLabels:  a=b, longest € =ZZ\n"), "{text}");
    }

    #[test]
    fn only_the_encoded_part_of_a_mail_is_undone() {
        let mail = "Content-Type: multipart/mixed; boundary=\"xx\"\n\n--xx\nContent-Transfer-Encoding: quoted-printable\n\na=3Db\n--xx\nContent-Transfer-Encoding: base64\n\nYT0zRGI=\n--xx--\n";
        let (text, problems) = cleaned(mail);
        assert!(text.contains("\na=b\n--xx\n") && text.contains("YT0zRGI="));
        assert_eq!(problems, 1);
    }

    #[test]
    fn plain_text_is_left_alone() {
        let text = "a: é – ‘b’\nTransfer-Encoding\n";
        assert_eq!(cleaned(text).0, text);
        assert_eq!(cleaned("status: “False”\n").0, "status: \"False\"\n");
    }
}
