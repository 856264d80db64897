//! Colours by meaning: the sentence bold, the code dim, states and labels in the colour of their severity.

use super::{Color, Look};
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

/// Returns the mark of a severity, which stands before its sentence.
pub(super) fn mark(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "✗",
        Severity::Warning => "⚠",
        Severity::Note => "·",
    }
}
