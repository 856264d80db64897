//! YAML that lost its indentation: chats and mail programs eat blanks.
//!
//! Such text is no tree any more, but neither is describe text that lost its own: both are lines of keys and
//! values whose nesting the schema restores. So the dashes and quotes are left out, and the describe parser
//! reads the rest.
//! Invariant: YAML that shows any nesting is left alone.

use crate::syntax::text_view::TextView;
use crate::syntax::transcript::shape::{indent, yaml_key};

/// Returns the lines of a flat list of maps as plain keys and values; `None` if nothing shows a loss.
pub(super) fn flattened<'s>(view: &TextView<'s>) -> Option<TextView<'s>> {
    let text = view.text();
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let flat = lines().all(|line| indent(line) == 0 && !line.starts_with("---"));
    if !flat || !loses_nesting(lines()) {
        return None;
    }
    let mut plain = TextView::empty(view.source());
    let mut open = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let end = at + line.trim_end().len();
        let body = line.trim_end();
        let start = at + body.len() - body.trim_start_matches(['-', ' ']).len();
        push_line(&mut plain, view, start..end, &mut open);
        plain.append(view, end..at + line.len());
        at += line.len();
    }
    Some(plain)
}

/// Says whether some line stands where no program puts it: a second key beside the dash of the first, or a key
/// at the column of the key that it belongs to.
fn loses_nesting<'t>(lines: impl Iterator<Item = &'t str>) -> bool {
    let mut above = "";
    for line in lines {
        let key = yaml_key(line).is_some();
        let opens = above.ends_with(':') && yaml_key(above).is_some();
        let beside = above.starts_with("- ") && yaml_key(above).is_some();
        if key && !line.starts_with('-') && (opens || beside) {
            return true;
        }
        above = line.trim_end();
    }
    false
}

/// Takes over one line without the quotes around its value; `open` is a quote that was not closed yet.
fn push_line<'s>(
    plain: &mut TextView<'s>,
    view: &TextView<'s>,
    range: std::ops::Range<usize>,
    open: &mut Option<char>,
) {
    let line = view.text().get(range.clone()).unwrap_or_default();
    let mut start = range.start;
    if open.is_none() {
        let value = line.find(": ").map_or(line.len(), |colon| colon + 2);
        let text = line.get(value..).unwrap_or_default();
        let Some(quote) = text.chars().next().filter(|first| matches!(first, '\'' | '"')) else {
            plain.append(view, range);
            return;
        };
        plain.append(view, start..start + value);
        start += value + 1;
        *open = Some(quote);
    }
    let rest = view.text().get(start..range.end).unwrap_or_default();
    let closed = open.is_some_and(|quote| rest.ends_with(quote));
    plain.append(view, start..range.end - usize::from(closed));
    if closed {
        *open = None;
    }
}
