//! Zones of what Go prints into logs: `map[data:map[p:eA==] kind:Secret]`, `Secret{Data:map[string][]byte{p: [1 2]}}`.

use std::ops::Range;

/// With what the data of a printed Secret begins.
const HEADS: [&str; 2] = ["ata:map[", "ata:{"];

/// Finds the data in the lines of some signs.
pub(super) fn zones(text: &str, signs: &[usize]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut done = 0;
    for &sign in signs.iter() {
        if sign < done {
            continue;
        }
        let start = text.get(..sign).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
        let rest = text.get(sign..).unwrap_or_default();
        done = sign + rest.find('\n').unwrap_or(rest.len());
        let line = text.get(start..done).unwrap_or_default();
        let heads = HEADS.iter().flat_map(|head| line.match_indices(head));
        for (at, head) in heads {
            let open = start + at + head.len() - 1;
            found.push(open + 1..end_of(text, open, done));
        }
    }
    found
}

/// Finds the end of what a bracket opens, with the braces that stand right behind it, as far as the line goes.
fn end_of(text: &str, open: usize, end: usize) -> usize {
    let mut depth = 0_usize;
    let inside = text.as_bytes().get(open..end).unwrap_or_default();
    for (at, byte) in inside.iter().enumerate() {
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            // A type stands before its braces: `map[string][]byte{`.
            b' ' | b',' if depth == 0 => return open + at,
            _ => {}
        }
    }
    end
}
