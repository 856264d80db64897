//! What a check comes to: the last line of its report, and how often each rule found something.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::prose::count;
use crate::engine::{Report, SuppressedBy};
use crate::finding::{Safety, Severity};

/// Renders how often each rule found something, the most frequent first; `[*]` marks what `--fix` repairs.
pub fn statistics(report: &Report) -> String {
    let mut rows: BTreeMap<&str, (usize, &str, bool)> = BTreeMap::new();
    for resolved in &report.findings {
        let row = rows.entry(resolved.finding.code).or_insert((0, resolved.finding.name, false));
        let safe = resolved.remedy.as_ref().is_some_and(|remedy| remedy.safety == Safety::Safe);
        *row = (row.0 + 1, row.1, row.2 || safe);
    }
    let mut rows: Vec<_> = rows.into_iter().collect();
    rows.sort_by_key(|(code, (found, ..))| (std::cmp::Reverse(*found), *code));
    let widest = rows.iter().map(|row| row.1.0.to_string().len()).max().unwrap_or(0);
    let mut out = String::new();
    for (code, (found, name, safe)) in rows {
        let mark = if safe { "[*]" } else { "[ ]" };
        let _ = writeln!(out, "{found:>widest$}  {code}  {mark} {name}");
    }
    let _ = writeln!(out, "{}", tail(report));
    out
}

/// Says how a check went, in one line.
pub(super) fn tail(report: &Report) -> String {
    let objects: usize = report.coverage.objects.iter().map(|(_, count)| count).sum();
    let levels = [Severity::Error, Severity::Warning, Severity::Note];
    let counts = levels.map(|severity| (report.count(severity), severity.word()));
    let found = counts.iter().filter(|(some, _)| *some > 0).map(|(some, noun)| count(*some, noun));
    let found: Vec<String> = found.collect();
    let unread = report.coverage.unread_files;
    let mut parts = vec![if found.is_empty() {
        let files = count(report.coverage.files, "file");
        // A file that nobody could look into did not pass.
        let passed =
            if unread > 0 { "Nothing found in what could be read" } else { "All checks passed" };
        format!("{passed}: {} in {files}.", count(objects, "object"))
    } else {
        format!("Found {}.", found.join(", "))
    }];
    if unread > 0 {
        parts.push(format!("Not read: {}.", count(unread, "file")));
    }
    if !report.fixed.is_empty() {
        parts.push(format!("{} fixed.", report.fixed.len()));
    }
    match (report.fixable(Safety::Safe), report.fixable(Safety::Consent)) {
        (0, 0) => {}
        (safe, 0) => parts.push(format!("[*] {safe} fixable with --fix.")),
        (0, more) => parts.push(format!("{more} fixable with --fix=all.")),
        (safe, more) => {
            parts.push(format!("[*] {safe} fixable with --fix, {more} more with --fix=all."));
        }
    }
    let known = report.suppressed.iter().filter(|told| told.by == SuppressedBy::Baseline).count();
    let suppressed = report.suppressed.len() - known;
    if suppressed > 0 {
        parts.push(format!("{suppressed} suppressed."));
    }
    if known > 0 {
        parts.push(format!("{known} known by the baseline."));
    }
    parts.join(" ")
}
