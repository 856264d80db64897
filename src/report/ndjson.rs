//! One line of JSON per input, for programs that read many reports: `{"schema", "input", "outcome", "report"}`.
//!
//! `outcome` is `judged`, `nothing` (nothing was recognised) or `failed` (it could not be read); without a report, `message`
//! says why. The report is that of `--format json`.

use serde_json::json;

use super::paths::Paths;
use super::{json, snippet};
use crate::engine::Report;
use crate::source::Sources;

/// The name and version of the form of a line.
const SCHEMA: &str = "fleetlens/line/1";

/// Renders a report as a line, by the names of what was given.
pub fn render(report: &Report, sources: &Sources) -> String {
    let names = Paths::named(report).names(&report.coverage.inputs);
    line(&names.join(" "), report, sources)
}

/// Renders the line of an input that was judged.
pub fn line(input: &str, report: &Report, sources: &Sources) -> String {
    let head = json!({ "schema": SCHEMA, "input": snippet::clean(input), "outcome": "judged" })
        .to_string();
    let head = head.trim_end_matches('}');
    format!("{head},\"report\":{}}}\n", json::compact(report, sources))
}

/// Renders the line of an input without a report.
pub fn without_report(input: &str, outcome: &str, why: &str) -> String {
    let (input, message) = (snippet::clean(input), snippet::masked(why));
    let line = json!({ "schema": SCHEMA, "input": input, "outcome": outcome, "message": message });
    format!("{line}\n")
}
