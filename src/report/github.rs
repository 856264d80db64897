//! Annotations for GitHub Actions: one workflow command per finding.
//!
//! The runner shows them beside the changed lines of a pull request.

use std::fmt::Write as _;

use super::log_command::escaped;
use super::paths::Paths;
use super::snippet::{clean, masked};
use crate::engine::Report;
use crate::finding::Severity;

/// Renders a report as workflow commands.
pub fn render(report: &Report) -> String {
    let paths = Paths::below_input(report);
    let mut out = String::new();
    for resolved in &report.findings {
        let (finding, place) = (&resolved.finding, &resolved.primary);
        let command = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "notice",
        };
        let mut text = masked(&finding.message);
        for more in [&finding.why, &finding.hint].into_iter().filter(|more| !more.is_empty()) {
            text = format!("{text}\n{}", clean(more));
        }
        if let Some(remedy) = &resolved.remedy {
            text = format!("{text}\n{} repairs it", remedy.safety.option());
        }
        let title = format!("{} {}", finding.code, finding.name);
        let _ = writeln!(
            out,
            "::{command} file={},line={},col={},endLine={},endColumn={},title={}::{}",
            property(&paths.show(&place.path)),
            place.start.line,
            place.start.column,
            place.end.line,
            place.end.column,
            property(&title),
            data(&text),
        );
    }
    out
}

/// Escapes the text behind a command.
fn data(text: &str) -> String {
    escaped(text, "%25", &[])
}

/// Escapes the value of a property.
fn property(text: &str) -> String {
    escaped(text, "%25", &[':', ','])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_end_a_command_is_escaped() {
        assert_eq!(data("50% of\nit"), "50%25 of%0Ait");
        assert_eq!(property("a:b,c"), "a%3Ab%2Cc");
    }
}
