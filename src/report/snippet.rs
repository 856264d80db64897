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

/// So much of what follows a place is shown, if there is more.
const TAIL: usize = 4;

/// Shorter words of a label are no names.
const SHORTEST_NAME: usize = 4;
/// A link of a chain of errors has at least so many words.
const LINK_WORDS: usize = 4;

/// A line ready to be shown, with the place in it.
pub(super) struct ShownLine {
    /// The cleaned, clipped text.
    pub(super) text: String,
    /// Where the place stands in it, in bytes.
    pub(super) place: Range<usize>,
}

/// Prepares the line that holds the start of `span`, clipped to `width` characters around it.
///
/// A place of several lines is shown by its first line with text in it.
pub(super) fn line(source: &SourceFile, span: Span, width: usize) -> (usize, ShownLine) {
    let mut index = source.line_index(span.lo);
    // Behind the last line, a line begins where the text ends, and no place reaches beyond that.
    while source.line_span(index).hi <= span.lo && source.line_span(index + 1).lo < span.hi {
        index += 1;
    }
    let line = source.line_span(index);
    let from = span.lo.clamp(line.lo, line.hi);
    let to = span.hi.clamp(from, line.hi);
    let [before, here, after] = source.shown_around(line, from, to).map(|part| clean(&part));
    (index, clip(&before, &here, &after, width))
}

fn clip(before: &str, here: &str, after: &str, width: usize) -> ShownLine {
    // Blanks give way before words do: those that indent a line, and those that align values behind their keys.
    let excess = (columns(before) + columns(here) + columns(after)).saturating_sub(width);
    let blanks = before.bytes().take_while(|byte| *byte == b' ').count();
    let before = before.get(excess.min(blanks)..).unwrap_or(before);
    let (key, gap) = before.split_at(before.trim_end_matches(' ').len());
    let gap = gap.len().saturating_sub(excess.saturating_sub(blanks)).max(gap.len().min(1));
    let before = &format!("{key}{}", " ".repeat(gap));
    // What follows is not left out without a sign.
    let width = width.saturating_sub(columns(after).min(TAIL));
    // The start of the line stays beside a long place, too, if it takes no more than a third.
    let start = Some(columns(before)).filter(|start| *start <= width / 3).unwrap_or(8);
    let here = first(here, width.saturating_sub(start).max(8));
    let here_width = columns(&here);
    // The start of the line is kept where it fits: it holds the key.
    let left = width.saturating_sub(here_width);
    let before =
        if columns(before) <= left { before.to_owned() } else { last(before, (left / 2).max(4)) };
    let rest = width.saturating_sub(columns(&before) + here_width) + columns(after).min(TAIL);
    let place = before.len()..before.len() + here.len();
    ShownLine { text: format!("{before}{here}{}", first(after, rest)), place }
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

/// Returns the part of a long place that matters: the name that its label speaks of, else the innermost error.
pub(super) fn significant_part(file: &SourceFile, span: Span, label: &str) -> Span {
    let text = file.slice(span);
    let is_name = |word: &&str| word.len() >= SHORTEST_NAME && word.contains(['-', '/', '.']);
    let names = label.split(|c: char| c.is_whitespace() || c == ',').filter(is_name);
    let found = names.filter_map(|name| Some((text.rfind(name)?, name.len()))).next();
    let found = found.and_then(|(at, long)| {
        let lo = span.lo + u32::try_from(at).ok()?;
        Some(Span { lo, hi: lo + u32::try_from(long).ok()?, ..span })
    });
    found.unwrap_or_else(|| innermost(file, span))
}

/// Returns the innermost error of a chain (`outer: inner: innermost`), which says what happened; else all of a place.
fn innermost(file: &SourceFile, span: Span) -> Span {
    let text = file.slice(span);
    let mut links = text.match_indices(':').filter_map(|(at, _)| {
        let rest = text.get(at + 1..)?;
        let start = rest.trim_start();
        // `latest: 1, recorded: 2` is no chain: a link is a sentence.
        let is_link = rest.starts_with(char::is_whitespace)
            && start.starts_with(|c: char| c.is_alphabetic() || c == '"' || c == '`')
            && is_sentence(start)
            && !start.split_whitespace().next().is_some_and(|word| word.contains(':'));
        is_link.then_some(text.len() - start.len())
    });
    match links.next_back().and_then(|at| u32::try_from(at).ok()) {
        Some(at) => Span { lo: span.lo + at, ..span },
        None => span,
    }
}

/// Says whether a text begins with enough words before its next link. No more of it is looked at, since it may be long.
fn is_sentence(text: &str) -> bool {
    let (mut words, mut inside) = (0, false);
    for (at, letter) in text.char_indices() {
        if letter == ':' && text.as_bytes().get(at + 1) == Some(&b' ') {
            return false;
        }
        words += usize::from(!inside && !letter.is_whitespace());
        if words == LINK_WORDS {
            return true;
        }
        inside = !letter.is_whitespace();
    }
    false
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
    let mut out = escaped_json(text);
    out.push('\n');
    out
}

/// Prints JSON on one line, in the same way.
pub(super) fn json_line(value: &impl serde::Serialize) -> String {
    escaped_json(serde_json::to_string(value).expect("a value of strings and numbers prints"))
}

fn escaped_json(text: String) -> String {
    // None of them is below this byte, and hardly a report has one.
    const FIRST: u8 = 0x7f;
    // A part at a time without a branch, which is looked at many bytes at once.
    let plain = |part: &[u8]| part.iter().fold(true, |plain, byte| plain & (*byte < FIRST));
    if text.as_bytes().chunks(4096).all(plain) || !text.contains(is_harmful) {
        return text;
    }
    let mut out = String::with_capacity(text.len() + 64);
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
    fn a_long_place_is_narrowed_to_what_its_label_names_or_to_the_innermost_error() {
        let mut sources = Sources::default();
        let text = "outer failed: inner failed: the cluster count is outdated, latest: 1 by web-r2";
        let id = sources.add("x", Origin::default(), Encoding::Utf8, text.to_owned());
        let (file, all) = (sources.get(id), Span::new(id, 0, text.len()));
        let core = file.slice(significant_part(file, all, "how it reports it"));
        assert_eq!(core, "the cluster count is outdated, latest: 1 by web-r2");
        assert_eq!(file.slice(significant_part(file, all, "last written by web-r2")), "web-r2");
        let bare = Span::new(id, 0, 12);
        assert_eq!(file.slice(significant_part(file, bare, "no chain")), "outer failed");
    }

    #[test]
    fn blanks_give_way_before_words() {
        let indented = clip("            message: ", &"w".repeat(30), "", 40);
        assert_eq!(indented.text, format!(" message: {}", "w".repeat(30)));
        let aligned = clip("Message:               ", &"w".repeat(30), "", 40);
        assert_eq!(aligned.text, format!("Message:  {}", "w".repeat(30)));
    }

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
