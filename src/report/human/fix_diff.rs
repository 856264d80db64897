//! The lines that a fix changes, as a diff under its finding.
//!
//! Owns the choice of lines. Text that holds something hidden is not shown at all: a difference of it would tell what
//! was there.

use std::fmt::Write as _;

use super::Page;
use super::colors::{Tone, paint};
use crate::engine::ResolvedFinding;
use crate::report::prose::{count, fitting};
use crate::report::snippet;
use crate::source::{SourceFile, Span};
use crate::syntax::edit::Edit;

/// More lines of a fix than this are counted.
const MAX_LINES: usize = 8;
/// How much of a long line is shown in front of what changes.
const LEAD: usize = 24;
/// How much of it is looked at.
const SEEN: usize = 4096;

/// Draws what the fix of a finding changes.
pub(super) fn render(out: &mut String, page: &Page<'_>, resolved: &ResolvedFinding) {
    let Some(remedy) = &resolved.remedy else { return };
    let mut lines: Vec<(Tone, String)> = Vec::new();
    let room = page.look.width.saturating_sub(9);
    let mut edits: Vec<&Edit> = remedy.edits.iter().collect();
    edits.sort();
    for group in edits.chunk_by(|left, right| left.span.source == right.span.source) {
        let Some(first) = group.first() else { continue };
        let source = page.sources.get(first.span.source);
        if first.span.source != resolved.primary.span.source {
            lines.push((Tone::Dim, format!("in {}", page.paths.show(source.path()))));
        }
        for hunk in group.chunk_by(|left, right| touch(source, left, right)) {
            lines.extend(changed_lines(source, hunk, room));
        }
    }
    let mut lead = "fix";
    let mut tell = |tone: Tone, text: &str| {
        let shown = fitting(text, room);
        let cut = if shown.len() < text.len() { "…" } else { "" };
        let text = paint(page.look, tone, &format!("{shown}{cut}"));
        let key = paint(page.look, Tone::Bold, lead);
        let _ = writeln!(
            out,
            "{}",
            format!("  {key}{}   {text}", " ".repeat(3 - lead.len())).trim_end()
        );
        lead = "";
    };
    lines.iter().take(MAX_LINES).for_each(|(tone, line)| tell(*tone, line));
    if let Some(rest) = lines.len().checked_sub(MAX_LINES).filter(|rest| *rest > 0) {
        tell(Tone::Dim, &format!("and {}", count(rest, "more line")));
    }
}

/// Says whether two edits of a file, in order, touch the same or neighbouring lines.
fn touch(source: &SourceFile, left: &Edit, right: &Edit) -> bool {
    source.line_index(right.span.lo) <= source.line_index(left.span.hi) + 1
}

/// Returns the lines that some edits take away and those that they add; none if something in them is hidden.
fn changed_lines(source: &SourceFile, edits: &[&Edit], room: usize) -> Vec<(Tone, String)> {
    let text = source.text();
    let start = edits.first().map_or(0, |edit| edit.span.range().start);
    let end = edits.iter().map(|edit| edit.span.range().end).max().unwrap_or(start);
    let from = text.get(..start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    let to = text.get(end..).and_then(|rest| rest.find('\n')).map_or(text.len(), |at| end + at);
    let before = text.get(from..to).unwrap_or_default();
    let whole = Span::new(source.id(), from, to);
    if source.shown(whole) != before {
        return vec![(Tone::Dim, "in lines that are not shown".to_owned())];
    }
    let mut after = String::new();
    let mut done = from;
    for edit in edits {
        let range = edit.span.range();
        after.push_str(text.get(done..range.start).unwrap_or_default());
        after.push_str(&edit.replacement);
        done = range.end.max(done);
    }
    after.push_str(text.get(done..to).unwrap_or_default());
    let (mut old, mut new): (Vec<&str>, Vec<&str>) =
        (before.split('\n').collect(), after.split('\n').collect());
    let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    (old, new) = (old.split_off(same), new.split_off(same));
    while old.last().is_some() && old.last() == new.last() {
        old.pop();
        new.pop();
    }
    // Of a long line that stands for another, what both begin with makes room for what differs.
    let shared = match (old.as_slice(), new.as_slice()) {
        ([one], [two]) => one.bytes().zip(two.bytes()).take_while(|(one, two)| one == two).count(),
        _ => 0,
    };
    let signed = |sign: char, line: &str| {
        let line = line.trim_end_matches('\r');
        let wanted = shared.saturating_sub(LEAD);
        let from = (0..=wanted).rev().find(|at| line.is_char_boundary(*at)).unwrap_or(0);
        let is_long = fitting(line, room).len() < line.len();
        let part = line.get(from..).filter(|_| is_long && from > 0);
        // Of a very long line, only what can be seen is made safe to show.
        let seen = |part: &str| part.chars().take(room.max(SEEN)).collect::<String>();
        let line = part.map_or_else(|| seen(line), |part| format!("…{}", seen(part)));
        format!("{sign} {}", snippet::masked(&line)).trim_end().to_owned()
    };
    let gone = old.iter().map(|line| (Tone::Error, signed('-', line)));
    gone.chain(new.iter().map(|line| (Tone::Good, signed('+', line)))).collect()
}
