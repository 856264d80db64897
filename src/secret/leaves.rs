//! The single values of a map or list that stands on one line: between braces, or as Go prints it.

use std::ops::Range;

/// What Go writes before values.
const TYPES: [&str; 9] =
    ["map", "string", "uint8", "byte", "interface", "v1", "unstructured", "Unstructured", "any"];

/// What a word without quotes never holds.
const SIGNS: &[u8] = b"{}[](),\"'\\ \t\r\n";

/// Finds the values, without their keys.
pub(super) fn leaves(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let (mut found, mut at, mut is_value) = (Vec::new(), 0, false);
    while let Some(&byte) = bytes.get(at) {
        if let Some((content, after)) = quoted(bytes, at) {
            at = after;
            if bytes.get(at..).unwrap_or_default().trim_ascii_start().first() == Some(&b':') {
                is_value = false;
            } else {
                found.push(content);
            }
        } else if byte == b':' {
            is_value = true;
            at += 1;
        } else if SIGNS.contains(&byte) {
            // A list or map begins: what follows it may be keys again.
            is_value &= byte == b' ';
            let rest = bytes.get(at..).unwrap_or_default();
            at += rest.iter().take_while(|byte| **byte == b'\\').count().max(1);
        } else {
            let (end, is_key) = bare(bytes, at, is_value);
            let is_type = text.get(at..end).is_none_or(|word| TYPES.contains(&word));
            if !is_key && !is_type {
                found.push(at..end);
            }
            is_value = false;
            at = end;
        }
    }
    found
}

/// Returns what stands between quotes that open here, escaped or not, and where the text goes on.
fn quoted(bytes: &[u8], at: usize) -> Option<(Range<usize>, usize)> {
    let rest = bytes.get(at..)?;
    let escapes = rest.iter().take_while(|byte| **byte == b'\\').count();
    let quote = *rest.get(escapes).filter(|byte| matches!(byte, b'"' | b'\''))?;
    let start = at + escapes + 1;
    let mut end = start;
    loop {
        let Some(found) = bytes.get(end..).and_then(|rest| memchr::memchr(quote, rest)) else {
            return Some((start..bytes.len(), bytes.len()));
        };
        end += found;
        let own = bytes.get(start..end)?.iter().rev().take_while(|byte| **byte == b'\\').count();
        if own <= escapes {
            return Some((start..end - own, end + 1));
        }
        end += 1;
    }
}

/// Finds the end of a word without quotes; also says whether it is a key. The words of one value belong together.
fn bare(bytes: &[u8], at: usize, is_value: bool) -> (usize, bool) {
    let word = |from: usize| {
        let rest = bytes.get(from..).unwrap_or_default();
        from + rest.iter().take_while(|byte| !SIGNS.contains(byte)).count()
    };
    let mut end = word(at);
    let colon = bytes.get(at..end).and_then(|word| memchr::memchr(b':', word));
    if let Some(colon) = colon.filter(|_| !is_value) {
        return (at + colon, true);
    }
    while bytes.get(end) == Some(&b' ') {
        let next = word(end + 1);
        let own = bytes.get(end + 1..next).unwrap_or_default();
        if own.is_empty() || own.contains(&b':') {
            break;
        }
        end = next;
    }
    (end, false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_without_their_keys() {
        let pairs: [(&str, &[&str]); 7] = [
            ("{p: abc, 'q r': \"x y\", l: [one, two words]}", &["abc", "x y", "one", "two words"]),
            ("password:eA== other:two words b:]", &["eA==", "two words"]),
            ("string][]uint8{\"password\":[]uint8(\"abc\")}", &["abc"]),
            ("string]interface {}{\\\"a\\\":\\\"b c\\\", \\\"d\\\":\\\"e\\\"}", &["b c", "e"]),
            ("p:a:b q:c", &["a:b", "c"]),
            ("{\"cut\": \"ab", &["ab"]),
            ("string{a: [112 113],}", &["112 113"]),
        ];
        for (text, want) in pairs {
            let found = leaves(text);
            let found: Vec<_> = found.into_iter().filter_map(|at| text.get(at)).collect();
            assert_eq!(found, want, "{text}");
        }
    }
}
