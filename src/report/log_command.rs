//! Escaping of commands that services read out of a build's log.

/// Writes what would end a command or one of its properties as its number; a percent sign in the service's own way.
pub(super) fn escaped(text: &str, percent: &str, ends: &[char]) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '%' => out.push_str(percent),
            '\r' | '\n' => out.push_str(&format!("%{:02X}", u32::from(c))),
            c if ends.contains(&c) => out.push_str(&format!("%{:02X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}
