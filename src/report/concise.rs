//! One line per finding, for grep and for pipes.

use std::fmt::Write as _;

use super::snippet::{clean, masked};
use crate::engine::Report;

/// Renders a report with one line per finding: `path:line:column: severity[CODE name] message`, and
/// behind it the option that repairs it, if one does.
pub fn render(report: &Report) -> String {
    let mut out = String::new();
    for resolved in &report.findings {
        let (finding, place) = (&resolved.finding, &resolved.primary);
        let folded = if resolved.explained_by.is_empty() { "" } else { " (explained)" };
        let remedy = resolved.remedy.as_ref().map(|remedy| remedy.safety.option());
        let fix = remedy.map(|option| format!(" ({option})")).unwrap_or_default();
        let _ = writeln!(
            out,
            "{}:{}:{}: {}[{} {}] {}{folded}{fix}",
            clean(&place.path),
            place.start.line,
            place.start.column,
            finding.severity.word(),
            finding.code,
            finding.name,
            masked(&finding.message),
        );
    }
    out
}
