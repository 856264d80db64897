//! What the API server's scanner forgives and YAML 1.2 does not.
//!
//! Owns two liberties of its older YAML: `#` begins a comment without a blank before it behind a quote, a
//! bracket or a comma, and the further lines of a quoted text may begin anywhere.
//! Invariant: what is returned has the same length, so places stay what they are.

use std::borrow::Cow;

use super::events::{Events, YamlError, YamlErrorKind, YamlEvent};

/// How often a text is forgiven; each time costs a look from its beginning.
const MOST: usize = 64;

/// Returns a text that the parser crate reads as the server reads the given one; what neither can read to its
/// end stays as it is, so that the fault is told where it begins.
pub(super) fn with_forgiven(text: &str) -> Cow<'_, str> {
    let mut forgiven = Cow::Borrowed(text);
    if !may_need(text.as_bytes()) {
        return forgiven;
    }
    for _ in 0..MOST {
        let Some(failure) = find_failure(&forgiven) else { return forgiven };
        let mut bytes = forgiven.into_owned().into_bytes();
        match failure.cause {
            YamlErrorKind::Glued if bytes.get(failure.at) == Some(&b'#') => {
                separate(&mut bytes, failure.at)
            }
            YamlErrorKind::Margin => join_lines(&mut bytes, failure.at),
            _ => break,
        }
        // Only whole ASCII characters are replaced by ASCII characters.
        forgiven = Cow::Owned(String::from_utf8_lossy(&bytes).into_owned());
    }
    Cow::Borrowed(text)
}

/// Says whether a sign may be glued, or a quoted text spans lines: an odd number of quotes in a line.
fn may_need(text: &[u8]) -> bool {
    let glued = |at: usize| {
        let before = at.checked_sub(1).and_then(|at| text.get(at));
        before.is_some_and(|byte| byte.is_ascii_punctuation())
    };
    memchr::memchr_iter(b'#', text).any(glued)
        || text.split(|byte| *byte == b'\n').any(|line| {
            [b'"', b'\''].iter().any(|quote| memchr::memchr_iter(*quote, line).count() % 2 == 1)
        })
}

fn find_failure(text: &str) -> Option<YamlError> {
    let mut events = Events::new(text);
    std::iter::from_fn(|| events.next()).find_map(Result::err)
}

/// Puts a blank where a comment begins; its sign moves one byte on, if there is room for it.
fn separate(bytes: &mut [u8], at: usize) {
    let next = bytes.get(at + 1).is_some_and(|next| next.is_ascii() && !next.is_ascii_control());
    let rest = bytes.get_mut(at..).unwrap_or_default();
    if let ([sign, behind, ..], true) = (&mut *rest, next) {
        (*sign, *behind) = (b' ', b'#');
        return;
    }
    let end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len());
    rest.get_mut(..end).unwrap_or_default().fill(b' ');
}

/// Blanks the line breaks in front of a line of a quoted text.
fn join_lines(bytes: &mut [u8], at: usize) {
    let before = bytes.get_mut(..at).unwrap_or_default();
    let breaks = before.iter_mut().rev().take_while(|byte| byte.is_ascii_whitespace());
    breaks.for_each(|byte| *byte = b' ');
}

/// Folds a quoted text of several lines, with its quotes, as it is written; `read` is what the parser made of it.
pub(super) fn fold_quoted<'t>(written: &str, read: Cow<'t, str>) -> Cow<'t, str> {
    let single = written.starts_with('\'');
    let inner = written.get(1..written.len().saturating_sub(1)).filter(|it| it.contains('\n'));
    let Some(inner) = inner else { return read };
    let mut folded = String::new();
    let mut breaks = 0;
    let count = inner.split('\n').count();
    for (index, line) in inner.split('\n').enumerate() {
        let line = if index > 0 { line.trim_start() } else { line };
        let line = if index + 1 < count { line.trim_end() } else { line };
        if index > 0 && line.is_empty() && index + 1 < count {
            breaks += 1;
            continue;
        }
        if index > 0 {
            // A backslash at the end of a line takes the break away.
            let escaped = !single && folded.ends_with('\\') && !folded.ends_with("\\\\");
            match (escaped, breaks) {
                (true, _) => _ = folded.pop(),
                (false, 0) => folded.push(' '),
                (false, _) if single => folded.extend((0..breaks).map(|_| '\n')),
                (false, _) => folded.extend((0..breaks).map(|_| "\\n")),
            }
            breaks = 0;
        }
        folded.push_str(line);
    }
    if single {
        return Cow::Owned(folded.replace("''", "'"));
    }
    let line = format!("\"{folded}\"");
    let mut events = Events::new(&line);
    while let Some(Ok((event, _))) = events.next() {
        if let YamlEvent::Scalar { text, .. } = event {
            return Cow::Owned(text.into_owned());
        }
    }
    read
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_may_touch_a_quote_or_a_bracket() {
        for (text, forgiven) in [
            ("a: \"b\"#c\n", "a: \"b\" #\n"),
            ("a: [b]#\nd: e\n", "a: [b] \nd: e\n"),
            ("a: {b: c}#é\n", "a: {b: c}   \n"),
            ("a: {#x\n  b: c,#y\n  d: e}\n", "a: { #\n  b: c, #\n  d: e}\n"),
            ("a: 'b'#c#d\ne: 'f'#\n", "a: 'b' ##d\ne: 'f' \n"),
            ("a: b#c\n", "a: b#c\n"),
            ("a: |\n  \"x\"#y\n", "a: |\n  \"x\"#y\n"),
        ] {
            assert_eq!(with_forgiven(text), forgiven, "{text:?}");
        }
    }

    #[test]
    fn a_line_of_a_quoted_text_may_begin_anywhere() {
        let text = "a:\n  b: \"one\ntwo\"\n";
        assert_eq!(with_forgiven(text), "a:\n  b: \"one two\"\n");
        for (written, value) in [
            ("\"one\n two\"", "one two"),
            ("\"one  \n\n  two\"", "one\ntwo"),
            ("\"one\\\n   two\"", "onetwo"),
            ("'it''s\nso'", "it's so"),
            ("\"\\u0041\nb\"", "A b"),
        ] {
            assert_eq!(fold_quoted(written, Cow::Borrowed("")), value, "{written:?}");
        }
    }
}
