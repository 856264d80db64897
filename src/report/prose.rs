//! Words for people: lines broken at blanks, numbers with their noun.

use std::fmt::Write as _;

/// Writes text with a first lead and an indent for further lines, broken at blanks.
pub(super) fn wrap(out: &mut String, lead: &str, indent: &str, text: &str, width: usize) {
    let room = width.saturating_sub(lead.chars().count()).max(20);
    let mut line = String::new();
    let mut prefix = lead;
    for word in text.split_whitespace() {
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > room {
            let _ = writeln!(out, "{prefix}{line}");
            prefix = indent;
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    let _ = writeln!(out, "{prefix}{line}");
}

/// Returns `1 error`, `2 errors`.
pub(super) fn count<N: std::fmt::Display + PartialEq + From<u8>>(number: N, noun: &str) -> String {
    if number == N::from(1) { format!("1 {noun}") } else { format!("{number} {noun}s") }
}
