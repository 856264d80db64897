//! The report for people: the one place that names miette.
//!
//! First what was opened and when, then a line per run, then the findings, causes first with their
//! symptoms folded under them, last the counts. Width and colour are decided by the caller.

mod fault;
mod finding;
mod source_code;

use std::fmt::Write as _;

pub use fault::render_fault;

use super::prose::{columns, count, padded};
use super::snippet;
use crate::engine::{By, Handover, LogReading, Report, RunLine, Subject};
use crate::finding::{Safety, Severity};
use crate::graph::{Clock, ClockSource};
use crate::kube::time::show_timestamp;
use crate::source::{Sources, Span};

/// The times of more logs than this are told in JSON only.
const MAX_LOGS: usize = 4;

/// How to draw.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Columns.
    pub width: usize,
    /// Whether to colour.
    pub color: Color,
    /// Whether what is missing is listed in full.
    pub asks: Asks,
}

/// Whether to colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Color {
    /// Escape sequences for a terminal.
    Ansi,
    /// Plain text.
    None,
}

/// How the things that a bundle lacks are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    /// Counted in the last line.
    Counted,
    /// Listed with the verdicts they decide.
    Listed,
}

/// Renders a report for people.
pub fn render(report: &Report, sources: &Sources, look: Look) -> String {
    let mut out = String::new();
    head(&mut out, report, sources, look);
    runs(&mut out, report, look);
    handovers(&mut out, report);
    let leading = report.findings.iter().filter(|resolved| resolved.explained_by.is_empty());
    for resolved in leading {
        finding::render(&mut out, resolved, report, sources, look);
    }
    asks(&mut out, report, look);
    fixed(&mut out, report, look);
    tail(&mut out, report);
    out
}

fn head(out: &mut String, report: &Report, sources: &Sources, look: Look) {
    let coverage = &report.coverage;
    let objects: usize = coverage.objects.iter().map(|(_, count)| count).sum();
    let inputs = snippet::clean(&coverage.inputs.join(" "));
    let mut parts =
        vec![format!("{inputs}  {}", count(coverage.files, "file")), count(objects, "object")];
    if coverage.logs > 0 {
        let total = |count: fn(&LogReading) -> u64| report.logs.iter().map(count).sum::<u64>();
        parts.push(format!(
            "{} ({}, {}: {} understood, {} attached)",
            count(coverage.logs, "log"),
            count(coverage.log_lines, "line"),
            count(total(|log| log.records), "record"),
            total(|log| log.understood),
            total(|log| log.attached),
        ));
    }
    if coverage.skipped_objects > 0 {
        parts.push(format!("{} of other kinds", coverage.skipped_objects));
    }
    if coverage.binary > 0 {
        parts.push(format!("{} skipped", count(coverage.binary, "binary file")));
    }
    let _ = writeln!(out, "{}", paint(look, "1", &parts.join(" · ")));
    if report.subject == Subject::Manifests {
        return;
    }
    let captured = match (report.clock.now, report.clock.source) {
        (Some(now), ClockSource::Given) => format!("captured {} (given)", show_timestamp(now)),
        (Some(now), source) => {
            let after = if report.clock.latest.is_none() { " or later" } else { "" };
            let place = clock_place(report, sources, source);
            format!("captured {}{after}, {place}", show_timestamp(now))
        }
        _ => "no time stamp in the input: ages are not known (--now sets the time of capture)"
            .to_owned(),
    };
    let _ = writeln!(out, "{captured}");
    logs(out, report);
    if let Some(version) = &coverage.version {
        let _ = writeln!(out, "KubeFleet {version}, by wording");
    }
    for path in &coverage.decoded {
        let _ =
            writeln!(out, "{} is UTF-16: columns count in the decoded text", snippet::clean(path));
    }
}

/// Says what the capture clock was read from.
fn clock_place(report: &Report, sources: &Sources, source: ClockSource) -> String {
    let at = |span: Span| {
        let file = sources.get(span.source);
        format!("{}:{}", shown_path(report, file.path()), file.position(span.lo).line)
    };
    match source {
        ClockSource::NewestStamp(span) | ClockSource::NewestLogLine(span) => {
            format!("the newest stamp ({})", at(span))
        }
        ClockSource::LogEnd(file) => {
            format!("the last line of {}", shown_path(report, sources.get(file).path()))
        }
        ClockSource::AgeColumn(span) => format!("by the age of an object ({})", at(span)),
        ClockSource::Given | ClockSource::Unknown => "as given".to_owned(),
    }
}

/// Says which time each log covers and how its year was found; logs of which the same is true share a line.
fn logs(out: &mut String, report: &Report) {
    let mut told: Vec<(String, String, usize)> = Vec::new();
    for log in &report.logs {
        let span = log.covers.map(|(first, last)| {
            let same = first.strftime("%F").to_string() == last.strftime("%F").to_string();
            let last = if same { last.strftime("%TZ").to_string() } else { show_timestamp(last) };
            format!("{} to {last}; ", show_timestamp(first))
        });
        let said = format!("{}{}", span.unwrap_or_default(), log.timing);
        match told.iter_mut().find(|(_, known, _)| *known == said) {
            Some((.., more)) => *more += 1,
            None => told.push((shown_path(report, &log.path), said, 0)),
        }
    }
    for (path, said, more) in told.iter().take(MAX_LOGS) {
        let more = if *more > 0 { format!(" and {more} more") } else { String::new() };
        let _ = writeln!(out, "{path}{more}: {said}");
    }
    if let Some(rest) = told.len().checked_sub(MAX_LOGS).filter(|rest| *rest > 0) {
        let _ = writeln!(out, "and {}: --format json tells", count(rest, "further log"));
    }
}

fn runs(out: &mut String, report: &Report, look: Look) {
    if report.runs.is_empty() {
        return;
    }
    out.push('\n');
    let name = |run: &RunLine| snippet::clean(&run.object.to_string());
    let widest = report.runs.iter().map(|run| columns(&name(run))).max().unwrap_or(0);
    for run in &report.runs {
        let mut text = run.state.to_owned();
        if let Some(stage) = &run.stage {
            let _ = write!(text, " {}", snippet::clean(stage));
        }
        let is_over = run.state == "SUCCEEDED" || run.state == "FAILED";
        let show = if is_over { Clock::show_past } else { Clock::show_since };
        if let Some(when) = run.since.and_then(|since| show(&report.clock, since)) {
            let _ = write!(text, ", {when}");
        }
        // What leads tells why; the symptoms stand below it.
        let mut codes: Vec<&str> = Vec::new();
        let own = report.findings.iter().filter(|resolved| run.findings.contains(&resolved.id));
        for resolved in own.filter(|resolved| resolved.explained_by.is_empty()) {
            if !codes.contains(&resolved.finding.code) {
                codes.push(resolved.finding.code);
            }
        }
        let color = match run.state {
            "FAILED" | "STUCK" => "31",
            "SUCCEEDED" | "PROGRESSING" => "32",
            _ => "33",
        };
        let line = format!(
            "  {}   {}   {}",
            padded(&name(run), widest),
            paint(look, color, &text),
            codes.join(" ")
        );
        let _ = writeln!(out, "{}", line.trim_end());
    }
}

/// Draws who took which cluster from whom.
fn handovers(out: &mut String, report: &Report) {
    let mut placement = None;
    let cluster = |handover: &Handover| snippet::clean(&handover.cluster);
    let widest = report.handovers.iter().map(|it| columns(&cluster(it))).max().unwrap_or(0);
    for handover in &report.handovers {
        if placement != Some(&handover.placement) {
            let _ = writeln!(
                out,
                "\n  Who started which cluster of {}",
                snippet::clean(&handover.placement)
            );
            placement = Some(&handover.placement);
        }
        let steps: Vec<String> = handover
            .runs
            .iter()
            .map(|(run, at)| format!("{} {}", snippet::clean(&run.name), at.strftime("%H:%M:%S")))
            .collect();
        let _ = writeln!(out, "    {}   {}", padded(&cluster(handover), widest), steps.join(" → "));
    }
}

fn asks(out: &mut String, report: &Report, look: Look) {
    if report.asks.is_empty() || look.asks == Asks::Counted {
        return;
    }
    let _ =
        writeln!(out, "\n{}", paint(look, "1", "What the bundle lacks; these commands only look:"));
    for ask in &report.asks {
        let _ = writeln!(out, "  {}", snippet::clean(&ask.command.posix()));
        let _ = writeln!(out, "      decides {}", snippet::clean(&ask.decides));
    }
}

/// Lists what was repaired.
fn fixed(out: &mut String, report: &Report, look: Look) {
    if report.fixed.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n{}", paint(look, "1", "Fixed:"));
    for fixed in &report.fixed {
        let path = shown_path(report, &fixed.path);
        let _ = writeln!(out, "  {path}:{}  {} {}", fixed.line, fixed.code, fixed.name);
    }
}

/// Says how many findings could be repaired, and how.
fn fixable(report: &Report) -> Option<String> {
    match (report.fixable(Safety::Safe), report.fixable(Safety::Consent)) {
        (0, 0) => None,
        (safe, 0) => Some(format!("--fix repairs {safe}")),
        (0, more) => Some(format!("--fix=all repairs {more}")),
        (safe, more) => Some(format!("--fix repairs {safe}, --fix=all {more} more")),
    }
}

fn tail(out: &mut String, report: &Report) {
    let notes = report.count(Severity::Note);
    let notes = if notes > 0 { format!(", {}", count(notes, "note")) } else { String::new() };
    let mut parts = vec![
        format!(
            "{}, {}{notes}",
            count(report.count(Severity::Error), "error"),
            count(report.count(Severity::Warning), "warning")
        ),
        format!("{} judged", count(report.judged, "rule")),
    ];
    if !report.not_evaluated.is_empty() {
        parts.push(format!("{} not judged", report.not_evaluated.len()));
    }
    let known = report.suppressed.iter().filter(|told| told.by == By::Baseline).count();
    let suppressed = report.suppressed.len() - known;
    if suppressed > 0 {
        parts.push(format!("{suppressed} suppressed"));
    }
    if known > 0 {
        parts.push(format!("{known} known by the baseline"));
    }
    if !report.fixed.is_empty() {
        parts.push(format!("{} fixed", report.fixed.len()));
    }
    parts.extend(fixable(report));
    if !report.asks.is_empty() {
        parts.push(format!("{} would tell more: see --asks", count(report.asks.len(), "command")));
    }
    let _ = writeln!(out, "\n{}", parts.join(" · "));
}

/// Returns a path as people read it: within the one input, if there is only one.
fn shown_path(report: &Report, path: &str) -> String {
    let inside = match report.coverage.inputs.as_slice() {
        [input] => {
            path.strip_prefix(input.trim_end_matches('/')).and_then(|rest| rest.strip_prefix('/'))
        }
        _ => None,
    };
    snippet::clean(inside.unwrap_or(path))
}

fn paint(look: Look, code: &str, text: &str) -> String {
    match look.color {
        Color::Ansi => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
        Color::None => text.to_owned(),
    }
}
