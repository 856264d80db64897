//! Zones of what Go prints into logs: `map[data:map[p:eA==] kind:Secret]`, `Secret{Data:map[string][]byte{p: [1 2]}}`.

use std::ops::Range;

use super::leaves::leaves;

/// With what the data of a printed Secret begins.
const HEADS: [&str; 4] = ["ata:map[", "ata:{", "ata\":map[", "ata\\\":map["];

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
        for head in HEADS {
            // What stands within another map is hidden with it.
            let mut covered = start;
            for (at, _) in line.match_indices(head) {
                let open = start + at + head.len() - 1;
                if open < covered {
                    continue;
                }
                covered = end_of(text, open, done);
                let inside = text.get(open + 1..covered).unwrap_or_default();
                let values = leaves(inside).into_iter();
                found.extend(values.map(|it| open + 1 + it.start..open + 1 + it.end));
            }
        }
    }
    found
}

/// Finds the end of what a bracket opens, with the braces that stand right behind it, as far as the line goes.
fn end_of(text: &str, open: usize, end: usize) -> usize {
    const ANYTHING: &[u8] = b" {}{";
    let mut depth = 0_usize;
    let inside = text.as_bytes().get(open..end).unwrap_or_default();
    for (at, byte) in inside.iter().enumerate() {
        let goes_on = || inside.get(at..).is_some_and(|rest| rest.starts_with(ANYTHING));
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            // A type stands before its braces: `map[string][]byte{`, `map[string]interface {}{`.
            b' ' | b',' if depth == 0 && !goes_on() => return open + at,
            _ => {}
        }
    }
    end
}
