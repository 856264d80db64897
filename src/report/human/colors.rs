//! Colours by meaning: the sentence bold, the code dim, states and labels in the colour of their severity.

use super::{Color, Look, Page};
use crate::finding::Severity;

/// What a text means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tone {
    Error,
    Warning,
    Note,
    Good,
    Dim,
    Bold,
}

impl From<Severity> for Tone {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Error => Self::Error,
            Severity::Warning => Self::Warning,
            Severity::Note => Self::Note,
        }
    }
}

/// Colours a text, if the look has colours.
pub(super) fn paint(look: Look, tone: Tone, text: &str) -> String {
    let code = match tone {
        Tone::Error => "31",
        Tone::Warning => "33",
        Tone::Note => "36",
        Tone::Good => "32",
        Tone::Dim => "2",
        Tone::Bold => "1",
    };
    match look.color {
        Color::Ansi if !text.is_empty() => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
        _ => text.to_owned(),
    }
}

/// Colours the code of a rule and links it to its page.
pub(super) fn code(page: &Page<'_>, code: &str) -> String {
    link(page, code, &paint(page.look, Tone::Dim, code))
}

/// Links a text to the page of a rule (OSC 8), if the look has links and the rule a page.
pub(super) fn link(page: &Page<'_>, code: &str, text: &str) -> String {
    let address = page.report.pages.of_rule(code).filter(|_| page.look.links);
    match address {
        Some(address) => format!("\u{1b}]8;;{address}\u{1b}\\{text}\u{1b}]8;;\u{1b}\\"),
        None => text.to_owned(),
    }
}

/// Returns the mark of a severity, which stands before its sentence.
pub(super) fn mark(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "✗",
        Severity::Warning => "⚠",
        Severity::Note => "·",
    }
}
