//! Values of differences and patches that stand between braces, in a text whose other lines tell that they are those of a Secret.

use std::ops::Range;

/// Finds the values of differences in a line, and of patches where asked, as far as the line goes.
pub(super) fn of_keys(text: &str, line: Range<usize>, patches: bool) -> Vec<Range<usize>> {
    let shown = text.get(line.clone()).unwrap_or_default();
    if !shown.contains('{') {
        return Vec::new();
    }
    let keys = ["valueInHub", "valueInMember", "value"];
    let keys = keys.get(..if patches { 3 } else { 2 }).unwrap_or_default();
    let mut found = Vec::new();
    for key in keys {
        let mut done = 0;
        for (at, _) in shown.match_indices(key) {
            let start = at + key.len();
            let Some(value) = behind_colon(shown, start).filter(|_| at >= done) else { continue };
            done = end_of_value(shown, value);
            found.push(line.start + value..line.start + done);
        }
    }
    found
}

/// Returns where the value of a key begins that ends here; `None` if none follows.
fn behind_colon(line: &str, at: usize) -> Option<usize> {
    let rest = line.get(at..)?;
    let rest = rest.trim_start_matches(['"', '\'']).trim_start().strip_prefix(':')?;
    Some(line.len() - rest.trim_start().len())
}

/// Finds the end of a value: its quote, its bracket, or what divides it from the next.
fn end_of_value(line: &str, start: usize) -> usize {
    let (mut depth, mut quote, mut escaped) = (0_usize, None, false);
    for (at, byte) in line.bytes().enumerate().skip(start) {
        match (quote, byte) {
            _ if escaped => escaped = false,
            (Some(b'"'), b'\\') => escaped = true,
            (Some(open), _) if open == byte => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') if depth > 0 || at == start => quote = Some(byte),
            (None, b'{' | b'[') => depth += 1,
            (None, b'}' | b']') if depth > 0 => depth -= 1,
            (None, b',' | b'}' | b']') if depth == 0 => return at,
            _ => {}
        }
    }
    line.len()
}

#[cfg(test)]
mod tests {
    use crate::secret::hide;

    #[test]
    fn the_values_of_one_line() {
        let pairs = [
            (
                "- {path: /data/x, valueInHub: a b, valueInMember: \"c,}\"}",
                "- {path: /data/x, valueInHub: ***, valueInMember: ***}",
            ),
            (
                "- {op: add, value: {a: [b, 'c}']}, path: /data}",
                "- {op: add, value: ***, path: /data}",
            ),
            ("{\"value\": \"a\\\"b\"}", "{\"value\": ***}"),
            ("- {value: cut", "- {value: ***"),
            ("value: a", "value: a"),
        ];
        for (line, want) in pairs {
            let mut found = super::of_keys(line, 0..line.len(), true);
            found.sort_by_key(|range| range.start);
            assert_eq!(hide(line, &found), want);
        }
    }
}
