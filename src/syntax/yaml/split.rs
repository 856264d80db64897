//! A list of objects cut into its items by indentation, without parsing them.
//!
//! Owns the shape of a list as kubectl prints it (`apiVersion`, `items`, `kind`, `metadata`, each
//! item behind a dash); any other shape is left to the full parser. The cut is safe because a
//! deeper block, a folded text or a quoted one can never hold a line at the dash's own indentation.
//! Invariant: the items are those that the full parser would find, in the same order.

use std::ops::Range;

use super::document_head::{one_line_text, scan_head};
use super::lines::{Lines, Margin, YamlLine};
use crate::syntax::DocumentHead;
use crate::syntax::flatten_lists::inherit;
use crate::syntax::list_items::{ListItem, Parts};

/// Looks at a document that is not a list.
pub(super) fn look_at_object(text: &str, range: Range<usize>) -> Option<ListItem> {
    let mut lines = Lines::new(text, range.clone());
    let mut first = lines.next()?;
    if first.is_marker() && first.start == range.start {
        first = lines.next()?;
    }
    part(text, range, first, lines)
}

/// Cuts a list into its items; `None` if it is not one of the canonical shape.
pub(super) fn split_list(text: &str, range: Range<usize>, margin: &Margin) -> Option<Parts> {
    let mut head = DocumentHead::default();
    let mut dashes: Vec<YamlLine<'_>> = Vec::new();
    let mut end = range.end;
    let mut section = Section::Top;
    let mut seen = Vec::new();
    let mut lines = Lines::new(text, range.clone());
    loop {
        // Almost every line of a list is inside an item: pass those over without a closer look.
        match (section, dashes.first()) {
            (Section::Items, Some(dash)) if dash.indent == 0 => lines.skip_to(margin),
            (Section::Items, Some(dash)) => lines.skip_deeper(dash.indent + 2),
            _ => {}
        }
        let Some(line) = lines.next() else { break };
        match section {
            Section::Items if line.is_item() => {
                let first = dashes.first().map_or(line.indent, |first| first.indent);
                if line.indent != first || comment_before(text, line.start) {
                    return None;
                }
                dashes.push(line);
            }
            Section::Metadata if line.indent > 0 => {
                let (key, value) = line.key_value()?;
                let known = ["continue", "remainingItemCount", "resourceVersion", "selfLink"];
                let number = value.bytes().all(|byte| byte.is_ascii_digit());
                if !known.contains(&key) || !number && one_line_text(value).is_none() {
                    return None;
                }
            }
            _ if line.is_marker() && line.start == range.start => {}
            _ if line.indent == 0 => {
                if matches!(section, Section::Items) {
                    end = line.start;
                }
                let (key, value) = line.key_value().filter(|(key, _)| !seen.contains(key))?;
                section = top(key, value, &mut head)?;
                seen.push(key);
            }
            _ => return None,
        }
    }
    if dashes.is_empty() || head.kind.is_none() && head.api_version.is_none() {
        return None;
    }
    let ends = dashes.iter().skip(1).map(|dash| dash.start).chain([end]);
    let ranges = dashes.iter().zip(ends).map(|(dash, end)| (dash, dash.start..end));
    let items = ranges.map(|(dash, range)| item(text, *dash, range, &head));
    Some(Parts { items: items.collect::<Option<_>>()?, list: head })
}

/// Says whether the line before a dash is a comment, which then speaks of the item behind the dash.
fn comment_before(text: &str, start: usize) -> bool {
    let before = text.get(..start).unwrap_or_default().trim_ascii_end();
    before.rsplit('\n').next().is_some_and(|line| line.trim_ascii_start().starts_with('#'))
}

#[derive(Clone, Copy)]
enum Section {
    Top,
    Items,
    Metadata,
}

/// Reads a field of the list itself, and says what its lines are.
fn top(key: &str, value: &str, head: &mut DocumentHead) -> Option<Section> {
    match (key, value) {
        ("items", "") => return Some(Section::Items),
        ("metadata", "") => return Some(Section::Metadata),
        ("metadata", "{}") => {}
        ("apiVersion", value) => head.api_version = Some(one_line_text(value)?.into()),
        ("kind", value) if value.ends_with("List") => {
            head.kind = Some(one_line_text(value)?.into());
        }
        _ => return None,
    }
    Some(Section::Top)
}

fn item(
    text: &str,
    dash: YamlLine<'_>,
    range: Range<usize>,
    list: &DocumentHead,
) -> Option<ListItem> {
    let mut lines = Lines::new(text, range.clone());
    lines.next();
    let mut part = part(text, range, dash.behind_dash(), lines)?;
    if let Some(head) = &mut part.head {
        inherit(head, list);
    }
    Some(part)
}

/// Puts together what is known of an object that begins at the line `first`.
fn part(text: &str, range: Range<usize>, first: YamlLine<'_>, rest: Lines<'_>) -> Option<ListItem> {
    let content = text.get(first.content()..range.end)?.trim_ascii_end();
    let content = first.content()..first.content() + content.len();
    let last = text.get(content.clone())?.rsplit('\n').next()?;
    // A comment at the end is part of the lines, but not of the tree.
    let head = scan_head(first, rest).filter(|_| !last.contains('#'));
    Some(ListItem { range, content, head })
}

#[cfg(test)]
mod tests;
