//! GitLab code quality: one JSON array, an entry per finding.

use serde_json::{Value, json};

use super::paths::Paths;
use super::snippet::{json_text, masked};
use crate::engine::{Report, ResolvedFinding};
use crate::finding::Severity;

/// Renders a report as a code quality file.
pub fn render(report: &Report) -> String {
    let paths = Paths::below_input(report);
    json_text(&report.findings.iter().map(|it| entry(&paths, it)).collect::<Vec<_>>())
}

fn entry(paths: &Paths, resolved: &ResolvedFinding) -> Value {
    let (finding, place) = (&resolved.finding, &resolved.primary);
    json!({
        "description": masked(&finding.message),
        "check_name": format!("{} {}", finding.code, finding.name),
        // The id, which survives lines that move: GitLab compares branches by it.
        "fingerprint": resolved.id,
        "severity": match finding.severity {
            Severity::Error => "critical",
            Severity::Warning => "major",
            Severity::Note => "info",
        },
        "location": {
            "path": paths.show(&place.path),
            "lines": { "begin": place.start.line, "end": place.end.line },
        },
    })
}
