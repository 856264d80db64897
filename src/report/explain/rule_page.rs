//! The page of a rule, its Markdown made readable on a terminal.

use std::fmt::Write as _;

use super::sample;
use crate::report::human::{Look, bold, code_spans, paragraph};
use crate::rule::Rule;

/// Renders the page of a rule.
pub(super) fn render(rule: &Rule, look: Look) -> String {
    let reads: Vec<&str> = rule.reads.iter().map(|kind| kind.name()).collect();
    let head = format!("{} {} ({})", rule.code, rule.name, rule.severity.word());
    let mut text = format!("{}\n\n", bold(look, &head));
    text.push_str(&markdown(rule.page, look));
    if !reads.is_empty() {
        text.push('\n');
        paragraph(&mut text, "", &format!("Reads: {}", reads.join(", ")), look);
    }
    if sample::find_sample(rule).is_some() {
        let _ = writeln!(text, "\nTry it: {}", sample::command(rule));
    }
    text
}

/// Renders headings, paragraphs, lists and blocks of code.
fn markdown(page: &str, look: Look) -> String {
    let mut out = String::new();
    let mut open = String::new();
    let mut fenced = false;
    for line in page.lines() {
        let line = line.strip_prefix(' ').unwrap_or(line);
        if line.trim_start().starts_with("```") {
            flush(&mut out, &mut open, look);
            fenced = !fenced;
        } else if fenced {
            let _ = writeln!(out, "    {line}");
        } else if let Some(heading) = line.strip_prefix('#') {
            flush(&mut out, &mut open, look);
            let _ = writeln!(out, "{}", bold(look, heading.trim_start_matches('#').trim()));
        } else if line.trim().is_empty() {
            flush(&mut out, &mut open, look);
            out.push('\n');
        } else {
            if is_item(line) {
                flush(&mut out, &mut open, look);
            }
            let blank = if open.is_empty() { "" } else { " " };
            let _ = write!(open, "{blank}{}", line.trim());
        }
    }
    flush(&mut out, &mut open, look);
    while out.ends_with("\n\n") {
        out.pop();
    }
    code_spans(&out, look)
}

fn is_item(line: &str) -> bool {
    line.trim_start().starts_with("- ") || line.trim_start().starts_with("* ")
}

fn flush(out: &mut String, open: &mut String, look: Look) {
    if open.is_empty() {
        return;
    }
    match open.strip_prefix("- ").or_else(|| open.strip_prefix("* ")) {
        Some(item) => paragraph(out, "- ", item, look),
        None => paragraph(out, "", open, look),
    }
    open.clear();
}

#[cfg(test)]
mod tests {
    use super::markdown;
    use crate::report::human::{Color, Look};

    #[test]
    fn paragraphs_are_filled_and_headings_stand_out() {
        let page = " One\n two `three`.\n\n ## Why\n - first\n   goes on\n - second\n";
        let plain = markdown(page, Look::plain(40));
        assert_eq!(plain, "One two `three`.\n\nWhy\n- first goes on\n- second\n");
        let color = markdown(page, Look { color: Color::Ansi, ..Look::plain(40) });
        assert!(color.contains("\u{1b}[1mWhy\u{1b}[0m"), "{color}");
        assert!(color.contains("\u{1b}[36mthree\u{1b}[0m"), "{color}");
    }
}
