//! The report of `check`: what is wrong with manifests, in the order of the engine, and what would repair it.

use std::fmt::Write as _;

use super::finding::keyed;
use super::paint::{Tone, paint};
use super::{Page, boxes, steps};
use crate::engine::{By, Resolved};
use crate::finding::{Layer, Safety, Severity};
use crate::report::prose::{count, wrap};
use crate::report::snippet;

pub(super) fn render(page: &Page<'_>) -> String {
    let mut out = String::new();
    let report = page.report;
    let leading = report.findings.iter().filter(|resolved| resolved.explained_by.is_empty());
    for resolved in leading {
        finding(&mut out, page, resolved);
        out.push('\n');
    }
    fixed(&mut out, page);
    tail(&mut out, page);
    out
}

fn finding(out: &mut String, page: &Page<'_>, resolved: &Resolved) {
    let finding = &resolved.finding;
    let fixable = if resolved.remedy.is_some() { " [*]" } else { "" };
    let head = format!("{}[{}]{fixable} ", finding.severity.word(), finding.code);
    let mut lines = String::new();
    wrap(&mut lines, &head, "  ", &snippet::masked(&finding.message), page.look.width);
    let painted = paint(page.look, finding.severity.into(), head.trim_end());
    out.push_str(&lines.replacen(head.trim_end(), &painted, 1));
    let basis = finding.layer.map_or(finding.certainty.phrase(), Layer::phrase);
    let name = format!("  {} · {basis}", finding.name);
    let _ = writeln!(out, "{}", paint(page.look, Tone::Dim, &name));
    boxes::render(out, page, resolved);
    if !finding.why.is_empty() {
        keyed(out, page, "why", &snippet::clean(&finding.why));
    }
    if !finding.then.is_empty() {
        keyed(out, page, "then", &snippet::masked(&finding.then));
    }
    steps::render(out, page, finding);
    if !finding.hint.is_empty() {
        keyed(out, page, "help", &snippet::masked(&finding.hint));
    }
    if let Some(remedy) = &resolved.remedy {
        keyed(out, page, "fix", &format!("{} does it.", remedy.safety.option()));
    }
}

/// Lists what was repaired.
fn fixed(out: &mut String, page: &Page<'_>) {
    let report = page.report;
    if report.fixed.is_empty() {
        return;
    }
    let _ = writeln!(out, "{}", paint(page.look, Tone::Bold, "Fixed:"));
    for fixed in &report.fixed {
        let path = snippet::clean(&fixed.path);
        let _ = writeln!(out, "  {path}:{}  {} {}", fixed.line, fixed.code, fixed.name);
    }
    out.push('\n');
}

fn tail(out: &mut String, page: &Page<'_>) {
    let report = page.report;
    let objects: usize = report.coverage.objects.iter().map(|(_, count)| count).sum();
    let levels =
        [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Note, "note")];
    let counts = levels.iter().map(|(severity, noun)| (report.count(*severity), noun));
    let counts: Vec<String> =
        counts.filter(|(some, _)| *some > 0).map(|(some, noun)| count(some, noun)).collect();
    let mut parts = vec![if counts.is_empty() {
        let files = count(report.coverage.files, "file");
        format!("All checks passed: {} in {files}.", count(objects, "object"))
    } else {
        format!("Found {}.", counts.join(", "))
    }];
    let (safe, more) = (report.fixable(Safety::Safe), report.fixable(Safety::Consent));
    match (safe, more) {
        (0, 0) => {}
        (safe, 0) => parts.push(format!("[*] {safe} fixable with --fix.")),
        (0, more) => parts.push(format!("[*] {more} fixable with --fix=all.")),
        (safe, more) => {
            parts.push(format!("[*] {safe} fixable with --fix, {more} more with --fix=all."));
        }
    }
    let known = report.suppressed.iter().filter(|told| told.by == By::Baseline).count();
    let suppressed = report.suppressed.len() - known;
    if suppressed > 0 {
        parts.push(format!("{suppressed} suppressed."));
    }
    if known > 0 {
        parts.push(format!("{known} known by the baseline."));
    }
    if !report.fixed.is_empty() {
        parts.push(format!("{} fixed.", report.fixed.len()));
    }
    wrap(out, "", "", &parts.join(" "), page.look.width);
}
