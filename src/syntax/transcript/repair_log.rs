//! Log lines as the agent wrote them, out of what mails, chats and web pages made of them.
//!
//! Owns joining records that were folded at 80 or 100 columns, taking `msg=` and the words around a record away, and
//! undoing smart quotes and HTML. What a log system puts in front of a line is undone by the log reader itself.
//! Invariant: every character leads back to where it stands in the file.

use super::logline::{bare_record, is_log_line};
use crate::syntax::text_view::TextView;

/// Characters of mails and web pages, and what they stand for.
const MARKS: [(&str, &str); 8] = [
    ("&quot;", "\""),
    ("&#34;", "\""),
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&amp;", "&"),
    ("“", "\""),
    ("”", "\""),
    ("„", "\""),
];

/// Mends a text of log lines; `None` where nothing is to be mended.
pub(crate) fn mend_log<'s>(view: &TextView<'s>) -> Option<TextView<'s>> {
    let plain = undo_marks(view);
    let mended = join_folds(plain.as_ref().unwrap_or(view));
    mended.or(plain)
}

/// Puts quotes and brackets back that a mail or a web page wrote in another way.
fn undo_marks<'s>(view: &TextView<'s>) -> Option<TextView<'s>> {
    let text = view.text();
    if !MARKS.iter().any(|(mark, _)| text.contains(mark)) {
        return None;
    }
    let mut out = TextView::empty(view.source());
    let (mut from, mut at) = (0, 0);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if let Some((mark, plain)) = MARKS.iter().find(|(mark, _)| rest.starts_with(mark)) {
            out.append(view, from..at);
            out.push_as(view.span(at..at + mark.len()), plain);
            at += mark.len();
            from = at;
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    out.append(view, from..text.len());
    Some(out)
}

/// A physical line: where it starts, where its text ends, where the next one starts.
type Physical = (usize, usize, usize);

/// Joins lines that belong to one record.
fn join_folds<'s>(view: &TextView<'s>) -> Option<TextView<'s>> {
    let text = view.text();
    let lines = physical(text);
    let words = |line: &Physical| text.get(line.0..line.1).unwrap_or_default();
    let width = lines.iter().map(|line| line.1 - line.0).max().unwrap_or(0);
    let full = lines.iter().filter(|line| line.1 - line.0 == width).count();
    let mut out = TextView::empty(view.source());
    let mut changed = false;
    let mut open: Option<Quotes> = None;
    for (number, line) in lines.iter().enumerate() {
        let own = words(line);
        let before = number.checked_sub(1).and_then(|number| lines.get(number));
        let begins = is_log_line(own);
        let folds = open.as_ref().is_some_and(|open| !begins && open.goes_on(own));
        if let Some(before) = before {
            if folds {
                changed = true;
                // A terminal cuts at its width, in the middle of a word; a mail between two words.
                let cut = full > 1 && before.1 - before.0 == width && !words(before).ends_with(' ');
                let space = view.span(before.1..before.2);
                if !cut || own.starts_with(' ') {
                    out.push_as(space, " ");
                }
            } else {
                out.append(view, before.1..before.2);
            }
        }
        let indent = if folds { own.len() - own.trim_start().len() } else { 0 };
        let (start, end) = if begins { bare_record(own) } else { (indent, own.len()) };
        changed |= begins && (start, end) != (0, own.len());
        let record = own.get(start..end).unwrap_or_default();
        out.append(view, line.0 + start..line.0 + end);
        if begins {
            open = Some(Quotes::of(record));
        } else if folds {
            open.iter_mut().for_each(|open| open.feed(record));
        } else {
            open = None;
        }
    }
    if let Some(last) = lines.last() {
        out.append(view, last.1..last.2);
    }
    changed.then_some(out)
}

fn physical(text: &str) -> Vec<Physical> {
    let mut at = 0;
    let lines = text.split_inclusive('\n').map(|line| {
        let start = at;
        at += line.len();
        (start, start + line.trim_end_matches(['\n', '\r']).len(), at)
    });
    lines.collect()
}

/// Whether a record is inside of a quoted value.
struct Quotes {
    open: bool,
    structured: bool,
}

impl Quotes {
    fn of(record: &str) -> Self {
        let mut quotes = Self { open: false, structured: record.contains('"') };
        quotes.feed(record);
        quotes
    }

    fn feed(&mut self, text: &str) {
        let mut escaped = false;
        for byte in text.bytes() {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => self.open = !self.open,
                _ => {}
            }
        }
    }

    /// Says whether a line goes on with the record: its quotes are open, or another pair follows.
    fn goes_on(&self, line: &str) -> bool {
        let line = line.trim_start();
        let key = line.split('=').next().unwrap_or_default();
        let is_pair = key.len() < line.len()
            && !key.is_empty()
            && key.bytes().all(|byte| byte.is_ascii_alphanumeric());
        !line.is_empty() && (self.open || (self.structured && is_pair))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Encoding, Origin, Sources};

    fn mended(text: &str) -> Option<String> {
        let mut sources = Sources::default();
        let id = sources.add("t", Origin::default(), Encoding::Utf8, text);
        let source = sources.get(id);
        let view = TextView::whole(source, source.span());
        mend_log(&view).map(|view| view.text().to_owned())
    }

    const HEAD: &str = "E1116 12:27:15.158571   22354 a/b.go:257] ";

    #[test]
    fn folded_records_are_joined() {
        let text = format!("{HEAD}\"Stopped\nretrying\" err=\"a b\nc\"\nbinding=\"x\"\n\nthanks\n");
        let want = format!("{HEAD}\"Stopped retrying\" err=\"a b c\" binding=\"x\"\n\nthanks\n");
        assert_eq!(mended(&text), Some(want));
        let trace = format!("{HEAD}\"Observed a panic\" err=\"x\"\ngoroutine 1 [running]:\n");
        assert_eq!(mended(&trace), None);
    }

    #[test]
    fn marks_of_mails_and_web_pages_are_undone() {
        let want = Some(format!("{HEAD}\"m\" k=\"v\"\n"));
        assert_eq!(mended(&format!("{HEAD}&quot;m&quot; k=&quot;v&quot;\n")), want);
        assert_eq!(mended(&format!("{HEAD}“m” k=”v”\n")), want);
        assert_eq!(mended(&format!("{HEAD}\"m\" k=\"v\"\n")), None);
    }
}
