//! Text of the bundle, made fit to be shown.
//!
//! The only way by which text of a bundle reaches a report: control characters, terminal escapes and
//! direction marks are made visible, secrets are masked, long lines are clipped around the place.

use std::ops::Range;

use super::prose::{columns, fitting};
use crate::secret::hide_credentials;
pub(crate) use crate::source::clean;
use crate::source::{SourceFile, Span, is_harmful};

/// The longest text of a place that a report carries.
const LONGEST_TEXT: usize = 400;

/// Returns the text under a span, cleaned, masked and at most a few hundred characters long.
pub(super) fn text(source: &SourceFile, span: Span) -> String {
    let raw = source.slice(span);
    let cut = raw.char_indices().nth(LONGEST_TEXT).map(|(at, _)| at);
    let end = span.lo as usize + cut.unwrap_or(raw.len());
    // What is hidden is found in the whole text: a value that is cut is still a value.
    let shown = clean(&source.shown(Span::new(span.source, span.lo as usize, end)));
    if cut.is_some() { format!("{shown}…") } else { shown }
}

/// A line ready to be shown, with the place in it.
pub(super) struct Line {
    /// The cleaned, clipped text.
    pub(super) text: String,
    /// Where the place stands in it, in bytes.
    pub(super) place: Range<usize>,
}

/// Prepares the line that holds the start of `span`, clipped to `width` characters around it.
///
/// A place of several lines is shown by its first line with text in it.
pub(super) fn line(source: &SourceFile, span: Span, width: usize) -> (usize, Line) {
    let mut index = source.line_index(span.lo);
    while source.line_span(index).hi <= span.lo
        && source.line_span(index + 1).lo < span.hi
        && index + 1 < source.line_count()
    {
        index += 1;
    }
    let line = source.line_span(index);
    let from = span.lo.clamp(line.lo, line.hi);
    let to = span.hi.clamp(from, line.hi);
    let [before, here, after] = source.shown_around(line, from, to).map(|part| clean(&part));
    (index, clip(&before, &here, &after, width))
}

fn clip(before: &str, here: &str, after: &str, width: usize) -> Line {
    // The start of the line stays beside a long place, too, if it takes no more than a third.
    let start = Some(columns(before)).filter(|start| *start <= width / 3).unwrap_or(8);
    let here = first(here, width.saturating_sub(start.max(8)).max(8));
    let here_width = columns(&here);
    // The start of the line is kept where it fits: it holds the key.
    let left = width.saturating_sub(here_width);
    let before =
        if columns(before) <= left { before.to_owned() } else { last(before, (left / 2).max(4)) };
    let rest = width.saturating_sub(columns(&before) + here_width).max(4);
    let place = before.len()..before.len() + here.len();
    Line { text: format!("{before}{here}{}", first(after, rest)), place }
}

fn first(text: &str, room: usize) -> String {
    if columns(text) <= room {
        return text.to_owned();
    }
    format!("{}…", fitting(text, room.saturating_sub(1)))
}

fn last(text: &str, room: usize) -> String {
    if columns(text) <= room {
        return text.to_owned();
    }
    let backwards: String = text.chars().rev().collect();
    let kept: String = fitting(&backwards, room.saturating_sub(1)).chars().rev().collect();
    format!("…{kept}")
}

/// Returns a text that quotes the bundle or the user, cleaned and masked.
pub(super) fn masked(text: &str) -> String {
    clean(&hide_credentials(text))
}

/// Returns a text of several lines, each cleaned and masked.
pub(super) fn masked_lines(text: &str) -> String {
    text.lines().map(masked).collect::<Vec<_>>().join(
        "
",
    )
}

/// Prints JSON that can be shown on a terminal: what could steer one is escaped, so that no value changes.
pub(crate) fn json_text(value: &impl serde::Serialize) -> String {
    let text = serde_json::to_string_pretty(value).expect("a value of strings and numbers prints");
    let mut out = escaped_json(&text);
    out.push('\n');
    out
}

/// Prints JSON on one line, in the same way.
pub(super) fn json_line(value: &impl serde::Serialize) -> String {
    escaped_json(&serde_json::to_string(value).expect("a value of strings and numbers prints"))
}

fn escaped_json(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 1);
    for c in text.chars() {
        if is_harmful(c) {
            out.push_str(&format!("\\u{:04x}", c as u32));
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Encoding, Origin, Sources};

    #[test]
    fn a_long_line_is_clipped_around_the_place() {
        let mut sources = Sources::default();
        let text = format!("{}needle{}", "a".repeat(300), "b".repeat(300));
        let id = sources.add("x", Origin::default(), Encoding::Utf8, text);
        let (_, line) = line(sources.get(id), Span::new(id, 300, 306), 40);
        assert_eq!(line.text.get(line.place.clone()), Some("needle"));
        assert!(line.text.chars().count() <= 41, "{}", line.text);
    }
}
