//! Log commands for Azure Pipelines: one `task.logissue` per error or warning, a plain line per note.

use std::fmt::Write as _;

use super::log_command::escaped;
use super::paths::Paths;
use super::snippet::{clean, masked};
use crate::engine::Report;
use crate::finding::Severity;

/// Renders a report as log commands.
pub fn render(report: &Report) -> String {
    let paths = Paths::below_input(report);
    let mut out = String::new();
    for resolved in &report.findings {
        let (finding, place) = (&resolved.finding, &resolved.primary);
        let path = paths.show(&place.path);
        let kind = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            // The service knows no third kind; a note must not turn a build yellow.
            Severity::Note => {
                let message = masked(&finding.message);
                let _ =
                    writeln!(out, "note {} {path}:{} {message}", finding.code, place.start.line);
                continue;
            }
        };
        let _ = writeln!(
            out,
            "##vso[task.logissue type={kind};sourcepath={};linenumber={};columnnumber={};code={}]{}",
            property(&clean(&path)),
            place.start.line,
            place.start.column,
            finding.code,
            data(&masked(&finding.message)),
        );
    }
    out
}

/// Escapes the text behind a command.
fn data(text: &str) -> String {
    escaped(text, "%AZP25", &[])
}

/// Escapes the value of a property.
fn property(text: &str) -> String {
    escaped(text, "%AZP25", &[';', ']'])
}

#[cfg(test)]
mod tests {
    use super::{data, property};

    #[test]
    fn what_would_end_a_command_or_a_property_is_escaped() {
        assert_eq!(data("50% of\nit"), "50%AZP25 of%0Ait");
        assert_eq!(property("a;b]c"), "a%3Bb%5Dc");
    }
}
