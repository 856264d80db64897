//! Text of the input made harmless: what could steer a terminal, a browser or an eye becomes visible.

/// Makes control characters, direction marks and invisible characters visible; tabs and line breaks become blanks.
pub fn clean(text: &str) -> String {
    // Almost every text is such.
    if is_clean(text) { text.to_owned() } else { disarm(text.chars().map(visible).collect()) }
}

/// Says whether a text is harmless as it stands: [`clean`] would surely not change it.
pub fn is_clean(text: &str) -> bool {
    let plain = text.bytes().fold(true, |plain, byte| plain & matches!(byte, b' '..=b'~'));
    plain && !may_command(text)
}

/// Says whether a text may hold what a build pipeline obeys.
fn may_command(text: &str) -> bool {
    text.contains("::") || text.contains("##")
}

/// Makes the same of every line of a text that has several.
pub fn clean_lines(text: &str) -> String {
    disarm(text.chars().map(|c| if c == '\n' { c } else { visible(c) }).collect())
}

/// Takes commands to a build pipeline apart, which obeys them in whatever a program prints: GitHub at the start of a line,
/// where wrapping may put any word, and Azure anywhere.
fn disarm(text: String) -> String {
    if !may_command(&text) {
        return text;
    }
    let text = text.replace("##vso[", "## vso[").replace("##[", "## [");
    let mut out = String::with_capacity(text.len() + 8);
    let mut rest = &*text;
    while let Some((before, behind)) = rest.split_once("::") {
        let command = COMMANDS.iter().any(|command| behind.starts_with(command));
        out.push_str(before);
        out.push_str(if command { ": :" } else { "::" });
        rest = behind;
    }
    out + rest
}

/// The commands of GitHub's runner, those that it has retired included.
const COMMANDS: [&str; 16] = [
    "add-mask",
    "add-matcher",
    "add-path",
    "debug",
    "echo",
    "endgroup",
    "error",
    "group",
    "internal-",
    "notice",
    "remove-matcher",
    "save-state",
    "set-env",
    "set-output",
    "stop-commands",
    "warning",
];

fn visible(c: char) -> char {
    match c {
        '\t' | '\u{a0}' | '\n' | '\r' => ' ',
        '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}'),
        '\u{7f}' => '\u{2421}',
        _ if is_harmful(c) => '\u{fffd}',
        _ => c,
    }
}

/// Says whether a character beyond ASCII steers a terminal or the direction of text, or cannot be seen.
pub fn is_harmful(c: char) -> bool {
    matches!(
        c,
        '\u{7f}'..='\u{9f}'
            | '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_harmless_stays_as_it_is() {
        let texts = ["", "a b", "a:b#c", "a::b", "##[x]", "\t", "a\u{7f}", "ä", "\u{200b}", "~ !"];
        for text in texts {
            assert!(!is_clean(text) || clean(text) == text, "{text:?}");
        }
        assert!(is_clean("The run web-1 (stage prod) waits: 3 of 4."));
    }

    #[test]
    fn what_steers_is_made_visible() {
        assert_eq!(clean("a\u{1b}[31mb\u{202e}"), "a␛[31mb\u{fffd}");
        assert_eq!(clean("a\u{9b}31m\u{9d}0;t\u{7}"), "a\u{fffd}31m\u{fffd}0;t␇");
        assert_eq!(clean("x\n::error::y\r\u{2028}z"), "x : :error::y \u{fffd}z");
        assert_eq!(
            clean("a ##vso[x]1 ##[group]b fe80::1 std::fmt"),
            "a ## vso[x]1 ## [group]b fe80::1 std::fmt"
        );
        assert_eq!(clean_lines("a: b\nc:\u{200b} d\n"), "a: b\nc:\u{fffd} d\n");
    }
}
