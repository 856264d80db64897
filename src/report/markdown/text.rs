//! Text of an input as Markdown: escaped in prose and in cells, or as code that nothing in it can end.

use std::fmt::Write as _;

/// Escapes a text that stands in prose.
///
/// Only what Markdown or HTML would take for a sign of its own: names of Kubernetes stay readable in a raw view, too. An
/// `@` could call a person by name, a `#` at the start of a word an issue.
pub(in crate::report) fn prose(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '@' => out.push_str("&#64;"),
            '#' if before.is_whitespace() => out.push_str("&#35;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '~' | '|' | '$' | '!' | '{' | '}' => {
                out.push('\\');
                out.push(c);
            }
            _ => out.push(c),
        }
        before = c;
    }
    // A link that is written out is made one by most services; nobody vouches for where it leads.
    out.replace("://", ":&#47;&#47;").replace("www.", "www&#46;")
}

/// Escapes a text that stands in a cell of a table.
pub(in crate::report) fn cell(text: &str) -> String {
    prose(text)
}

/// Returns a text as code within a line.
pub(in crate::report) fn code(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let ticks = "`".repeat(longest_run(text) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    // A bar would end the cell of a table even in code.
    format!("{ticks}{pad}{}{pad}{ticks}", text.replace('|', "¦"))
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
    use super::{code, fence, prose};

    #[test]
    fn nothing_breaks_out_of_its_place() {
        assert_eq!(
            prose("<img src=x> @team *x* [a](b)"),
            "&lt;img src=x&gt; &#64;team \\*x\\* \\[a\\](b)"
        );
        assert_eq!(prose("see #12 at https://x"), "see &#35;12 at https:&#47;&#47;x");
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`x`"), "`` `x` ``");
        assert_eq!(fence("sh", "```\nx"), "````sh\n```\nx\n````");
    }
}
