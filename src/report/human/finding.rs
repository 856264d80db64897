//! One finding: the sentence, its code, the places that show it, why, what then, what to do, and what follows from it.

use std::fmt::Write as _;

use super::colors::{Tone, link, mark, paint};
use super::{Page, boxes, diagram, steps};
use crate::engine::ClusterTakeover;
use crate::finding::{Finding, Topic};
use crate::report::prose::{columns, count, padded, wrap};
use crate::report::snippet;

/// More symptoms are counted.
const MAX_SYMPTOMS: usize = 5;
/// Even where everything is asked for.
const MAX_ALL_SYMPTOMS: usize = 200;

/// Draws a leading finding and what it explains; returns how many places are left out.
pub(super) fn render(out: &mut String, page: &Page<'_>, index: usize, symptoms: &[usize]) -> usize {
    let Some(resolved) = page.report.findings.get(index) else { return 0 };
    let finding = &resolved.finding;
    headline(out, page, finding);
    let causes = &page.report.verdict.causes;
    let is_first = causes.first().is_some_and(|cause| cause.finding == index);
    if !(is_first && diagram::render(out, page)) {
        handovers(out, page, finding);
    }
    out.push('\n');
    let hidden = boxes::render(out, page, resolved);
    out.push('\n');
    if !finding.why.is_empty() {
        keyed(out, page, "why", &snippet::clean(&finding.why));
    }
    let then = snippet::masked(finding.what_then());
    if !then.is_empty() {
        keyed(out, page, "then", &then);
    }
    steps::render(out, page, finding);
    let hint = snippet::masked(&finding.hint);
    let explain = format!("fleetlens explain {}", finding.code);
    let stop = if hint.is_empty() || hint.ends_with(['.', '?', '!']) { "" } else { "." };
    let blank = if hint.is_empty() { "" } else { " " };
    keyed(out, page, "help", &format!("{hint}{stop}{blank}{}", explain.replace(' ', "\u{1}")));
    so(out, page, symptoms);
    hidden
}

fn headline(out: &mut String, page: &Page<'_>, finding: &Finding) {
    let sign = mark(finding.severity);
    let mut lines = String::new();
    wrap(
        &mut lines,
        &format!("{sign} "),
        "  ",
        &snippet::masked(&finding.message),
        page.look.width,
    );
    for line in lines.lines() {
        let text = match line.strip_prefix(sign) {
            Some(rest) => {
                let sign = paint(page.look, finding.severity.into(), sign);
                format!("{sign}{}", paint(page.look, Tone::Bold, rest))
            }
            None => paint(page.look, Tone::Bold, line),
        };
        let _ = writeln!(out, "{text}");
    }
    let words = [finding.severity.word(), finding.certainty.phrase()].join(" · ");
    let code = link(page, finding.code, finding.code);
    let line = format!("  {code} {} · {words}", finding.name);
    let _ = writeln!(out, "{}", paint(page.look, Tone::Dim, &line));
}

/// Writes a line of a finding: its key, then its words, wrapped.
pub(super) fn keyed(out: &mut String, page: &Page<'_>, key: &str, text: &str) {
    let lead = format!("  {key:<4}  ");
    let mut lines = String::new();
    wrap(&mut lines, &lead, "        ", text, page.look.width);
    let lines = lines.replace('\u{1}', " ");
    out.push_str(&lines.replacen(key, &paint(page.look, Tone::Bold, key), 1));
}

/// Draws who took which cluster from whom, where the finding is about that.
fn handovers(out: &mut String, page: &Page<'_>, finding: &Finding) {
    let placement = finding.explains.iter().find_map(|topic| match topic {
        Topic::Takeover(placement) => Some(placement.path()),
        _ => None,
    });
    let Some(placement) = placement else { return };
    let here: Vec<&ClusterTakeover> =
        page.report.takeovers.iter().filter(|it| it.placement == placement).collect();
    let cluster = |handover: &ClusterTakeover| snippet::clean(&handover.cluster);
    let widest = here.iter().map(|it| columns(&cluster(it))).max().unwrap_or(0);
    if !here.is_empty() {
        out.push('\n');
    }
    let most = if page.is_all() { usize::MAX } else { MAX_SYMPTOMS };
    for handover in here.iter().take(most) {
        let steps: Vec<String> = handover
            .runs
            .iter()
            .map(|(run, at)| format!("{} {}", at.strftime("%H:%M:%S"), snippet::clean(&run.name)))
            .collect();
        let lead = format!("  {}   ", padded(&cluster(handover), widest));
        let indent = " ".repeat(columns(&lead));
        wrap(out, &lead, &indent, &steps.join(" → "), page.look.width);
    }
    if let Some(more) = here.len().checked_sub(most).filter(|more| *more > 0) {
        let _ = writeln!(out, "  and {}", count(more, "more cluster"));
    }
}

/// Lists what the finding explains.
fn so(out: &mut String, page: &Page<'_>, symptoms: &[usize]) {
    let most = if page.is_all() { MAX_ALL_SYMPTOMS } else { MAX_SYMPTOMS };
    let mut key = "so";
    for index in symptoms.iter().take(most) {
        let Some(symptom) = page.report.findings.get(*index) else { continue };
        let finding = &symptom.finding;
        let lead = format!("  {key:<4}  ");
        let text = format!("{} {}", finding.code, snippet::masked(&finding.message));
        let mut lines = String::new();
        wrap(&mut lines, &lead, "               ", &text, page.look.width);
        lines = lines.replacen(finding.code, &link(page, finding.code, finding.code), 1);
        if !key.is_empty() {
            lines = lines.replacen(key, &paint(page.look, Tone::Bold, key), 1);
        }
        out.push_str(&lines);
        key = "";
    }
    if let Some(more) = symptoms.len().checked_sub(most).filter(|more| *more > 0) {
        let how = if page.is_all() { "--format json" } else { "--all" };
        let _ = writeln!(out, "        and {} ({how})", count(more, "more symptom"));
    }
}
