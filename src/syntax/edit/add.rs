//! Putting a key behind an entry of a map, in the style of that entry.

use super::{EditTarget, NewValue, in_flow, is_plain, line_end, line_start};

/// Returns where to put the key, and the text.
pub(super) fn behind(
    text: &str,
    piece: &EditTarget,
    key: &str,
    value: &NewValue,
) -> Option<(usize, String)> {
    let range = piece.span.range();
    let start = line_start(text, range.start);
    let lead = text.get(start..range.start)?;
    let json = text.get(range.start..)?.starts_with('"');
    if in_flow(text, range.end) {
        let entry = flow_entry(key, value, json);
        let alone = lead.bytes().all(|byte| matches!(byte, b' ' | b'\t'));
        let glue = if alone && !lead.is_empty() {
            format!(",{}{lead}", break_of(text, start))
        } else {
            ", ".to_owned()
        };
        return Some((range.end, format!("{glue}{entry}")));
    }
    // A text that keeps its last line breaks would lose them to what comes behind it.
    let keeps = ["|+", ">+"]
        .iter()
        .any(|header| text.get(range.clone()).is_some_and(|entry| entry.contains(header)));
    if keeps || !lead.bytes().all(|byte| matches!(byte, b' ' | b'-')) {
        return None;
    }
    let end = line_end(text, range.end);
    let rest = text.get(range.end..end)?.trim_start();
    if !rest.is_empty() && !rest.starts_with('#') {
        return None;
    }
    let indent = " ".repeat(lead.len());
    let line = break_of(text, start);
    Some((end, format!("{line}{indent}{}", block_entry(key, value, &indent, line))))
}

/// Returns the line break that the text uses around an offset.
fn break_of(text: &str, at: usize) -> &'static str {
    let end = text.get(at..).and_then(|rest| rest.find('\n')).map(|end| at + end);
    // A last line without a break: the one before it tells.
    let end = end.or_else(|| at.checked_sub(1));
    let carriage = end.and_then(|end| text.as_bytes().get(end.checked_sub(1)?));
    if carriage == Some(&b'\r') { "\r\n" } else { "\n" }
}

fn flow_entry(key: &str, value: &NewValue, json: bool) -> String {
    let value = match value {
        NewValue::Text(text) => scalar(text, json),
        NewValue::EmptyMap => "{}".to_owned(),
        NewValue::EmptyList => "[]".to_owned(),
        NewValue::Under(inner, value) => format!("{{{}}}", flow_entry(inner, value, json)),
    };
    if json { format!("\"{key}\": {value}") } else { format!("{key}: {value}") }
}

fn block_entry(key: &str, value: &NewValue, indent: &str, line: &str) -> String {
    match value {
        NewValue::Under(inner, value) => {
            let indent = format!("{indent}  ");
            format!("{key}:{line}{indent}{}", block_entry(inner, value, &indent, line))
        }
        _ => flow_entry(key, value, false),
    }
}

fn scalar(text: &str, json: bool) -> String {
    if !json && is_plain(text) { text.to_owned() } else { format!("{text:?}") }
}
