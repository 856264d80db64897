//! A report in ASCII, for terminals and tickets that show nothing else.

/// Replaces what a report draws itself; names and words of the bundle stay as they are.
pub fn to_ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let plain = match c {
            '✗' | '×' => "x",
            '✓' => "+",
            '⚠' => "!",
            '‖' => "=",
            '▸' | '◀' => ">",
            '─' | '━' | '╌' => "-",
            '│' | '┃' => "|",
            '╭' | '╰' | '╯' | '╮' | '┬' | '┴' | '├' | '└' | '┗' | '┣' | '┏' => {
                "+"
            }
            '·' => ".",
            '⋮' => ":",
            '…' => "...",
            '→' => "->",
            '≥' => ">=",
            '≤' => "<=",
            '“' | '”' => "\"",
            '‘' | '’' => "'",
            '–' => "-",
            _ => {
                out.push(c);
                continue;
            }
        };
        out.push_str(plain);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::to_ascii;

    #[test]
    fn what_is_drawn_becomes_ascii_and_names_stay() {
        assert_eq!(to_ascii("✗ 集群 ── ╭─[a] … ≥ v0.2"), "x 集群 -- +-[a] ... >= v0.2");
    }
}
