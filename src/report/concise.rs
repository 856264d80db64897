//! One line per finding, for grep and for pipes.

use std::fmt::Write as _;

use super::snippet::clean;
use crate::engine::Report;

/// Renders a report with one line per finding: `path:line:column: severity[CODE name] message`.
pub fn render(report: &Report) -> String {
    let mut out = String::new();
    for resolved in &report.findings {
        let (finding, place) = (&resolved.finding, &resolved.primary);
        let folded = if resolved.explained_by.is_empty() { "" } else { " (explained)" };
        let _ = writeln!(
            out,
            "{}:{}:{}: {}[{} {}] {}{folded}",
            clean(&place.path),
            place.start.line,
            place.start.column,
            finding.severity.word(),
            finding.code,
            finding.name,
            clean(&finding.message),
        );
    }
    out
}
