//! Tabs, as the API server's reader takes them.
//!
//! Owns what its scanner (an older YAML than the parser crate's) holds against a tab: in front of
//! the first word of a line or behind the dash of an item it may not stand, not even on a line with
//! nothing or only a comment behind it; between brackets and within quotes it is a blank.
//! Invariant: text without such a tab costs one look at its lines.

use std::borrow::Cow;
use std::ops::Range;

use super::events::{Events, ScalarForm, YamlEvent};

/// Returns a text of the same length that the parser crate reads as the server would, which only
/// takes tabs between brackets for blanks.
pub(super) fn with_readable_tabs(text: &str) -> Cow<'_, str> {
    if margins(text).next().is_none() || extents(text).is_some() {
        return Cow::Borrowed(text);
    }
    let mut bytes = text.as_bytes().to_vec();
    for margin in margins(text) {
        for byte in bytes.get_mut(margin.0).unwrap_or_default() {
            if *byte == b'\t' {
                *byte = b' ';
            }
        }
    }
    String::from_utf8(bytes).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// Finds the first tab that the server stumbles over; `readable` is what the parser was given.
pub(super) fn stray_tab(text: &str, readable: &str) -> Option<usize> {
    margins(text).next()?;
    let extents = extents(readable)?;
    margins(text).map(|(_, tab)| tab).find(|&tab| {
        let after = extents.partition_point(|extent| extent.range.start <= tab);
        let around = after.checked_sub(1).and_then(|at| extents.get(at));
        let around = around.filter(|extent| tab < extent.range.end);
        around.is_none_or(|extent| column(text, tab) < extent.margin)
    })
}

/// A part of the text in which a tab does not mark the start of anything.
struct Extent {
    range: Range<usize>,
    /// The column from which on this holds.
    margin: usize,
}

/// Finds what spans lines: brackets and scalars, from the outside; `None` for malformed text.
fn extents(text: &str) -> Option<Vec<Extent>> {
    let mut found: Vec<Extent> = Vec::new();
    let mut brackets = Vec::new();
    let mut events = Events::new(text);
    while let Some(next) = events.next() {
        let (event, range) = next.ok()?;
        match event {
            YamlEvent::MapStart { flow, .. } | YamlEvent::ListStart { flow, .. } => {
                brackets.push(flow.then_some(range.start));
            }
            YamlEvent::MapEnd | YamlEvent::ListEnd => {
                let start = brackets.pop().flatten();
                let outermost = !brackets.iter().any(Option::is_some);
                if let Some(start) = start.filter(|_| outermost) {
                    found.push(Extent { range: start..range.end, margin: 0 });
                }
            }
            YamlEvent::Scalar { form, .. } if !brackets.iter().any(Option::is_some) => {
                let margin = if form == ScalarForm::Block { block_margin(text, &range) } else { 0 };
                found.push(Extent { range, margin });
            }
            _ => {}
        }
    }
    Some(found)
}

/// Returns the column at which the text of a block begins; a tab before it is refused.
fn block_margin(text: &str, block: &Range<usize>) -> usize {
    let start = block.start - column(text, block.start);
    let body = text.get(start..block.end).unwrap_or_default();
    let header = text.get(block.start..).is_some_and(|text| text.starts_with(['|', '>']));
    let lines = body.split('\n').skip(usize::from(header));
    let first = lines.map(|line| line.trim_end_matches('\r')).find(|line| !line.trim().is_empty());
    let blanks = first.map_or(0, |line| line.len() - line.trim_start_matches(' ').len());
    // A text that begins with a tab has no margin by which the server could tell its depth.
    let tabbed = first.is_some_and(|line| line.trim_start_matches(' ').starts_with('\t'));
    blanks + usize::from(tabbed)
}

fn column(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or_default();
    at - before.rfind('\n').map_or(0, |newline| newline + 1)
}

/// Returns the margins that hold a tab, with the place of their first one; what stands behind the
/// dash of an item is margin too.
fn margins(text: &str) -> impl Iterator<Item = (Range<usize>, usize)> {
    let mut start = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let begin = start;
        start += line.len();
        let bytes = line.as_bytes();
        memchr::memchr(b'\t', bytes)?;
        let mut end = 0;
        while let Some(byte) = bytes.get(end) {
            let dash = *byte == b'-' && matches!(bytes.get(end + 1), Some(b' ' | b'\t'));
            if !dash && !matches!(byte, b' ' | b'\t') {
                break;
            }
            end += 1;
        }
        let tab = memchr::memchr(b'\t', bytes.get(..end)?)?;
        Some((begin..begin + end, begin + tab))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stray(text: &str) -> Option<usize> {
        stray_tab(text, &with_readable_tabs(text))
    }

    #[test]
    fn a_tab_may_not_stand_where_a_word_could_begin() {
        for text in [
            "a:\n  \tb: c\n",
            "a:\n \t# c\n  b: c\n",
            "a: b\n\t\nc: d\n",
            "-\ta\n",
            "a:\n  -\tb: c\n",
            "a: |\n  \tb\n",
        ] {
            assert_eq!(stray(text), text.find('\t'), "{text:?}");
        }
    }

    #[test]
    fn a_tab_between_brackets_in_quotes_and_behind_words_is_a_blank() {
        for text in [
            "a: [\n\tb]\n",
            "a: {\n\tb: c,\n\td: e\n\t}\n",
            "a: \"x\n\ty\"\n",
            "a: x\n  \ty\n",
            "a: |\n  b\n  \tc\n",
            "a:\tb\n",
            "a: b\t\n",
        ] {
            assert_eq!(stray(text), None, "{text:?}");
            assert!(extents(&with_readable_tabs(text)).is_some(), "{text:?}");
        }
    }
}
