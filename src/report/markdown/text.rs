//! Text of an input as Markdown: escaped in prose and in cells, or as code that nothing in it can end.
//!
//! A word that a service would make something of after Markdown is done (a mention, a link, a reference to an issue)
//! becomes code: an escape is undone before the service looks for such words.

use std::fmt::Write as _;

/// Escapes a text that stands in prose.
///
/// Only what Markdown or HTML would take for a sign of its own: names of Kubernetes stay readable in a raw view, too.
pub(in crate::report) fn prose(text: &str) -> String {
    by_word(text, &|word| code(word), &escape)
}

/// Escapes a text that stands in a cell of a table.
pub(in crate::report) fn cell(text: &str) -> String {
    // A bar would end the cell even in code.
    by_word(text, &|word| code(&word.replace('|', "\\|")), &escape)
}

/// Escapes a text that stands in the title of what is folded, which is HTML and no Markdown.
pub(in crate::report) fn summary(text: &str) -> String {
    let html = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    by_word(text, &|word| format!("<code>{}</code>", html(word)), &html)
}

fn by_word(
    text: &str,
    as_code: &dyn Fn(&str) -> String,
    escaped: &dyn Fn(&str) -> String,
) -> String {
    let mut out = String::with_capacity(text.len());
    let parts: Vec<&str> = text.split('`').collect();
    // What our sentences put between backticks is code; backticks that have no partner, or have markup between them, are
    // signs like others.
    let plain = !text.contains(['<', '>']);
    if plain && parts.len() > 1 && parts.len() % 2 == 1 {
        for (index, part) in parts.iter().enumerate() {
            let code = index % 2 == 1;
            out.push_str(&if code { as_code(part) } else { by_word(part, as_code, escaped) });
        }
        return out;
    }
    for word in text.split_inclusive(char::is_whitespace) {
        let bare = word.trim_end();
        let end = bare.trim_end_matches(['.', ',', ';', ':', '?', '!']).len();
        let (core, rest) = word.split_at(end);
        out.push_str(&if is_live(core) { as_code(core) } else { escaped(core) });
        out.push_str(&escaped(rest));
    }
    out
}

/// Says whether services make something of a word: they call people, open links and refer to issues.
fn is_live(word: &str) -> bool {
    let mut letters = word.chars();
    let sign = letters.next().is_some_and(|first| "!&~%$^".contains(first));
    let named = letters.next().is_some_and(|second| second.is_alphanumeric() || second == '"');
    word.contains(['@', '#']) || word.contains("://") || word.contains("www.") || (sign && named)
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '~' | '|' | '$' | '!' | '{' | '}' | '#' => {
                out.push('\\');
                out.push(c);
            }
            _ => out.push(c),
        }
    }
    out
}

/// Returns a text as code within a line.
pub(in crate::report) fn code(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let ticks = "`".repeat(longest_run(text) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{ticks}{pad}{text}{pad}{ticks}")
}

/// Returns a text as a block of code.
pub(in crate::report) fn fence(language: &str, text: &str) -> String {
    let ticks = "`".repeat((longest_run(text) + 1).max(3));
    let mut out = format!("{ticks}{language}\n");
    let _ = write!(out, "{}\n{ticks}", text.trim_end());
    out
}

fn longest_run(text: &str) -> usize {
    let mut longest = 0;
    let mut run = 0;
    for c in text.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::{cell, code, fence, prose, summary};

    #[test]
    fn nothing_breaks_out_of_its_place() {
        assert_eq!(
            prose("<img src=x> @team, *x* [a](b)"),
            "&lt;img src=x&gt; `@team`, \\*x\\* \\[a\\](b)"
        );
        assert_eq!(prose("see #12 at https://x."), "see `#12` at `https://x`.");
        assert_eq!(prose("{code} !4 50%"), "\\{code\\} `!4` 50%");
        assert_eq!(prose("`@a` b`"), "`` `@a` `` b\\`");
        assert_eq!(prose("did you mean `a_b`?"), "did you mean `a_b`?");
        assert_eq!(prose("no `<b>`"), "no \\`&lt;b&gt;\\`");
        assert_eq!(cell("a|b c|@d"), "a\\|b `c\\|@d`");
        assert_eq!(summary("a <b> <@c>."), "a &lt;b&gt; <code>&lt;@c&gt;</code>.");
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`x`"), "`` `x` ``");
        assert_eq!(fence("sh", "```\nx"), "````sh\n```\nx\n````");
    }
}
