//! An item of a list as kubectl prints it: a line for each key, value and bracket, indented by depth.
//!
//! A string in JSON has no line break, so lines tell where such an item ends without a look at its strings. Whatever is not
//! printed so is left to the walk from bracket to bracket.

use smol_str::SmolStr;

use crate::syntax::DocumentHead;
use crate::syntax::blanks::count_blanks;
use crate::syntax::json::lexeme::skip_string;

/// How far an item is indented at most.
const WIDEST: usize = 32;

/// Returns the head of the item that begins at a brace, and where it ends; `None` if it is not printed as kubectl does.
pub(super) fn printed_item(text: &str, start: usize) -> Option<(DocumentHead, usize)> {
    let bytes = text.as_bytes();
    let margin = margin_of(bytes, start)?;
    let mut at = start + 2;
    let fields = count_blanks(bytes.get(at..)?);
    let step = fields.checked_sub(margin).filter(|step| *step > 0)?;
    let mut head = DocumentHead::default();
    let (mut seen_metadata, mut in_metadata) = (false, false);
    loop {
        let rest = bytes.get(at..)?;
        let length = memchr::memchr(b'\n', rest)?;
        let depth = if in_metadata { fields + step } else { fields };
        // Almost every line is deeper than what is looked at.
        if rest.get(..=depth)?.iter().any(|&byte| byte != b' ') {
            let own = count_blanks(rest);
            let line = text.get(at + own..at + length)?;
            if own == margin {
                let end = at + own + 1;
                return (line.starts_with('}') && is_followed(bytes.get(end..)?, margin))
                    .then_some((head, end));
            }
            let closes = line.starts_with(['}', ']']);
            match (own == fields, own == depth) {
                (true, _) if closes => in_metadata = false,
                (true, _) => {
                    let (key, value) = entry(line)?;
                    in_metadata = key == "metadata" && !seen_metadata && value == "{";
                    match key {
                        "apiVersion" => set(&mut head.api_version, value)?,
                        "kind" => set(&mut head.kind, value)?,
                        "metadata" if !in_metadata => return None,
                        "metadata" => seen_metadata = true,
                        _ => {}
                    }
                }
                (_, true) if closes => {}
                (_, true) => match entry(line)? {
                    ("name", value) => set(&mut head.name, value)?,
                    ("namespace", value) => set(&mut head.namespace, value)?,
                    _ => {}
                },
                _ => return None,
            }
        }
        at += length + 1;
    }
}

/// Returns by how much a brace is indented that stands in a line of its own.
fn margin_of(bytes: &[u8], start: usize) -> Option<usize> {
    let before = bytes.get(start.saturating_sub(WIDEST)..start)?;
    let margin = before.iter().rev().take_while(|byte| **byte == b' ').count();
    let alone = before.iter().rev().nth(margin) == Some(&b'\n');
    (alone && bytes.get(start..start + 2) == Some(b"{\n")).then_some(margin)
}

/// Splits `"key": value` without the comma behind it; `None` if the key has escapes or the line holds more than that.
fn entry(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.strip_prefix('"')?.split_once('"')?;
    let value = value.strip_prefix(": ")?;
    let value = value.strip_suffix(',').unwrap_or(value);
    let is_one = match value.strip_prefix('"') {
        Some(inner) => skip_string(inner).is_ok_and(|(rest, _)| rest.is_empty()),
        None => {
            matches!(value, "{" | "[" | "{}" | "[]")
                || value.bytes().all(|it| it.is_ascii_alphanumeric() || b"+-.".contains(&it))
        }
    };
    (is_one && !key.contains('\\')).then_some((key, value))
}

/// Fills in a field that is not known yet; `None` if its value is no plain text.
fn set(field: &mut Option<SmolStr>, value: &str) -> Option<()> {
    let text = value.strip_prefix('"')?.strip_suffix('"')?;
    if text.bytes().any(|byte| matches!(byte, b'"' | b'\\' | 0..b' ')) {
        return None;
    }
    if field.is_none() {
        *field = Some(text.into());
    }
    Some(())
}

/// Says whether the next item follows, or the end of the list.
fn is_followed(rest: &[u8], margin: usize) -> bool {
    match rest {
        [b',', b'\n', next @ ..] => {
            count_blanks(next) == margin && next.get(margin..margin + 2) == Some(b"{\n")
        }
        [b'\n', next @ ..] => {
            let own = count_blanks(next);
            own < margin && next.get(own) == Some(&b']')
        }
        _ => false,
    }
}
