//! Taking an entry or an item out of a text.
//!
//! In block style whole lines go, with the comment at their end; in flow style one comma goes too.
//! What stands alone stays: taking it out would leave its parent without a value.

use std::ops::Range;

use super::{EditTarget, in_flow, line_end, line_start};

/// Returns what goes with an entry of a map.
pub(super) fn entry(text: &str, piece: &EditTarget) -> Option<Range<usize>> {
    let range = piece.span.range();
    if in_flow(text, range.end) {
        return flow(text, piece);
    }
    let start = line_start(text, range.start);
    let lead = text.get(start..range.start)?;
    if lead.bytes().all(|byte| byte == b' ') {
        piece.before.or(piece.after)?;
        return lines(text, start, &range, lead.len());
    }
    // The first entry of a list item: the dash stays, and what follows takes the place.
    if !lead.bytes().all(|byte| matches!(byte, b' ' | b'-')) {
        return None;
    }
    let next = piece.after?.range().start;
    let between = text.get(range.end..next)?;
    (!between.contains('#')).then_some(range.start..next)
}

/// Returns what goes with an item of a list.
pub(super) fn item(text: &str, piece: &EditTarget) -> Option<Range<usize>> {
    piece.before.or(piece.after)?;
    let range = piece.span.range();
    if in_flow(text, range.end) {
        return flow(text, piece);
    }
    let start = line_start(text, range.start);
    let lead = text.get(start..range.start)?;
    let indent = lead.find('-')?;
    let dash = lead.get(indent..)?.trim_end_matches(' ');
    let sole = dash == "-" && lead.get(..indent)?.bytes().all(|byte| byte == b' ');
    if sole { lines(text, start, &range, indent) } else { None }
}

/// Returns the whole lines of a block, with comments that stand deeper than it behind it.
fn lines(text: &str, start: usize, range: &Range<usize>, indent: usize) -> Option<Range<usize>> {
    let mut end = line_end(text, range.end);
    let rest = text.get(range.end..end)?.trim_start();
    if !rest.is_empty() && !rest.starts_with('#') {
        return None;
    }
    while let Some(line) = after_break(text, end) {
        let body = text.get(line..line_end(text, line))?;
        let blanks = body.len() - body.trim_start_matches(' ').len();
        if !(body.trim_start().starts_with('#') && blanks > indent) {
            break;
        }
        end = line_end(text, line);
    }
    match after_break(text, end) {
        Some(next) => Some(start..next),
        // The last line has no line break: the one before it goes instead, so that none comes in.
        None => {
            let before = text.get(..start)?;
            let kept = before.strip_suffix('\n').unwrap_or(before);
            let kept = kept.strip_suffix('\r').unwrap_or(kept);
            Some(kept.len()..end)
        }
    }
}

/// Returns where the next line begins, if the line that ends at `end` has a line break.
fn after_break(text: &str, end: usize) -> Option<usize> {
    let rest = text.get(end..)?;
    let rest = rest.strip_prefix('\r').unwrap_or(rest);
    rest.strip_prefix('\n').map(|rest| text.len() - rest.len())
}

fn flow(text: &str, piece: &EditTarget) -> Option<Range<usize>> {
    let range = piece.span.range();
    let cut = match (piece.before, piece.after) {
        (_, Some(after)) => range.start..after.range().start,
        (Some(before), None) => before.range().end..range.end,
        (None, None) => return None,
    };
    let outside =
        if cut.start == range.start { range.end..cut.end } else { cut.start..range.start };
    let glue = text.get(outside)?;
    // A comment in between would go too; and what is no comma and no blank is not understood.
    glue.chars().all(|c| c == ',' || c.is_whitespace()).then_some(cut)
}
