//! What an object is about, by a look at its lines.
//!
//! Owns the shape that kubectl prints and this look understands; anything else is left to the full
//! parser. Since the first of two equal keys wins, the look may stop once it knows the head. Text in
//! brackets may go on at any indentation, but then a comma or bracket follows in a line of its own,
//! or deeper, and gives it away.
//! Invariant: a head that is returned is the one that the tree would have.

use smol_str::SmolStr;

use super::lines::{Lines, YamlLine};
use super::scalar::resolve;
use crate::syntax::DocumentHead;
use crate::syntax::tree::Value;

/// Reads the head of an object whose first line is `first` and whose further lines follow.
///
/// Returns `None` if the lines are not of the plain sort.
pub(super) fn scan_head<'t>(first: YamlLine<'t>, mut rest: Lines<'t>) -> Option<DocumentHead> {
    let mut head = DocumentHead::default();
    let (mut seen_metadata, mut in_metadata) = (false, None);
    let (mut line, mut next) = (first, rest.next());
    loop {
        let deeper = next.is_some_and(|next| next.indent > line.indent);
        if line.indent == first.indent {
            in_metadata = None;
            if seen_metadata && head.api_version.is_some() && head.kind.is_some() {
                break;
            }
            match line.key_value() {
                _ if line.is_item() => {}
                Some(("apiVersion", value)) => set(&mut head.api_version, value, deeper)?,
                Some(("kind", value)) => set(&mut head.kind, value, deeper)?,
                Some(("metadata", "")) if !seen_metadata => {
                    seen_metadata = true;
                    in_metadata = next.map(|next| next.indent);
                }
                Some(("metadata", "{}")) if !seen_metadata => seen_metadata = true,
                Some((key, value)) if is_plain_key(key) && is_harmless(value) => {}
                _ => return None,
            }
        } else if line.indent < first.indent {
            return None;
        } else if Some(line.indent) == in_metadata {
            match line.key_value() {
                _ if line.is_item() => {}
                Some(("name", value)) => set(&mut head.name, value, deeper)?,
                Some(("namespace", value)) => set(&mut head.namespace, value, deeper)?,
                Some((key, value)) if is_plain_key(key) && is_harmless(value) => {}
                _ => return None,
            }
        }
        // What is deeper than the fields that are looked at is passed over without a closer look.
        let deepest = in_metadata.unwrap_or(first.indent).max(first.indent);
        if next.is_some_and(|next| next.indent > deepest) {
            rest.skip_deeper(deepest + 1);
            next = rest.next();
        }
        let Some(following) = next else { break };
        (line, next) = (following, rest.next());
    }
    Some(head)
}

/// Fills a field in unless it is known; `None` if the value cannot be told from this line alone.
fn set(field: &mut Option<SmolStr>, value: &str, deeper: bool) -> Option<()> {
    let value = one_line_text(value).filter(|_| !deeper)?;
    if field.is_none() {
        *field = Some(value.into());
    }
    Some(())
}

/// Returns the text that a value of one line surely stands for.
pub(super) fn one_line_text(value: &str) -> Option<&str> {
    let plain = |text: &str| text.bytes().all(is_word);
    if let [quote @ (b'"' | b'\''), ..] = value.as_bytes() {
        let inner = value.get(1..)?.strip_suffix(char::from(*quote));
        return inner.filter(|inner| plain(inner));
    }
    let text = is_plain_key(value) && matches!(resolve(value), Value::String(_));
    text.then_some(value)
}

/// Splits `key: value` where the key is plain; the value is empty for `key:`.
pub(super) fn plain_key(line: &str) -> Option<(&str, &str)> {
    let bytes = line.as_bytes();
    if !bytes.first()?.is_ascii_alphanumeric() {
        return None;
    }
    let length = bytes.iter().position(|&byte| !is_word(byte))?;
    let value = match bytes.get(length..)? {
        [b':'] => length + 1,
        [b':', b' ', rest @ ..] => {
            length + 2 + rest.iter().take_while(|&&byte| byte == b' ').count()
        }
        _ => return None,
    };
    Some((line.get(..length)?, line.get(value..)?))
}

/// The bytes of plain keys: one look each, since every line of a dump has a key.
const WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0u8;
    while byte < 128 {
        table[byte as usize] =
            byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'/');
        byte += 1;
    }
    table
};

/// The bytes of brackets, comments and anchors.
const BRACKET: [bool; 256] = {
    let mut table = [false; 256];
    let signs = b"{}[]#&*";
    let mut at = 0;
    while at < signs.len() {
        table[signs[at] as usize] = true;
        at += 1;
    }
    table
};

fn is_word(byte: u8) -> bool {
    WORD[usize::from(byte)]
}

/// Says whether a key is text without quotes, whatever stands around it.
pub(super) fn is_plain_key(key: &str) -> bool {
    key.as_bytes().first().is_some_and(u8::is_ascii_alphanumeric) && key.bytes().all(is_word)
}

/// Says whether a value can be passed over without looking into it: no comment, no anchor, nothing
/// in brackets but the two empty ones.
fn is_harmless(value: &str) -> bool {
    matches!(value, "{}" | "[]") || !value.bytes().any(|byte| BRACKET[usize::from(byte)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_that_dedents_is_left_to_the_parser() {
        let head = |text: &str| {
            let mut lines = Lines::new(text, 0..text.len());
            let first = lines.next().expect("a line");
            scan_head(first, lines).map(|head| head.kind)
        };
        assert_eq!(head("  apiVersion: v1\n  kind: Pod\n"), Some(Some("Pod".into())));
        assert_eq!(head("  apiVersion: v1\nkind: Pod\n"), None);
    }
}
