//! The report of a bundle: head, first screen, causes, what is missing, bookkeeping, last lines.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use super::colors::{self, Tone, mark, paint};
use super::{Asks, Detail, Page, TOLD_AT_ONCE, asks, finding, first_screen};
use crate::engine::{LogReading, SuppressedBy};
use crate::graph::ClockSource;
use crate::kube::time::show_timestamp;
use crate::report::prose::{clipped, columns, count, digest, padded, wrap};
use crate::report::{snippet, ticket};
use crate::source::Span;

/// So many clusters or objects of which the same is true are named.
const ALIKE: usize = 20;

pub(super) fn render(page: &Page<'_>) -> String {
    let mut out = String::new();
    head(&mut out, page);
    out.push('\n');
    first_screen::render(&mut out, page);
    let hidden = causes(&mut out, page);
    if page.look.asks == Asks::Listed {
        asks::render(&mut out, page);
    }
    rule_line(&mut out, page, "");
    bookkeeping(&mut out, page);
    tail(&mut out, page, hidden);
    out
}

/// Draws a line across the page, with words in it.
pub(super) fn rule_line(out: &mut String, page: &Page<'_>, words: &str) {
    let words = if words.is_empty() { String::new() } else { format!("── {words} ") };
    let rest = "─".repeat(page.look.width.saturating_sub(columns(&words)));
    let _ = writeln!(out, "{}", paint(page.look, Tone::Dim, &format!("{words}{rest}")));
}

fn head(out: &mut String, page: &Page<'_>) {
    let report = page.report;
    let coverage = &report.coverage;
    let logs = if coverage.logs > 0 {
        format!(", {}", count(coverage.logs, "log"))
    } else {
        String::new()
    };
    let captured = match (report.clock.now, report.clock.source) {
        (Some(now), ClockSource::Given) => format!("captured {} (given)", show_timestamp(now)),
        (Some(now), _) => {
            let after = if report.clock.latest.is_none() { " or later" } else { "" };
            format!("captured {}{after}", show_timestamp(now))
        }
        _ => "no timestamp in it, so ages are unknown (--now sets the time)".to_owned(),
    };
    let files = format!("{}{logs}", count(coverage.files, "file"));
    let width = page.look.width;
    let name = input_name(&coverage.inputs, width.saturating_sub(columns(&files) + 3).max(24));
    let version = coverage
        .version
        .as_deref()
        .map(|version| format!("KubeFleet {} (judged by message texts)", compare_sign(version)));
    let whole = format!("{name} · {files} · {captured}");
    let (first, second) = if columns(&whole) + 2 <= width {
        (whole, version.into_iter().collect())
    } else {
        // What does not fit is broken between the facts, not within one.
        (format!("{name} · {files}"), [Some(captured), version].into_iter().flatten().collect())
    };
    let mut line = String::new();
    wrap(&mut line, "", "  ", &first, width);
    out.push_str(&paint_name(page, &line, &name));
    let second: Vec<String> = second;
    let together = second.join(" · ");
    if columns(&together) <= width && !second.is_empty() {
        let _ = writeln!(out, "{together}");
    } else {
        second.iter().for_each(|line| wrap(out, "", "  ", line, width));
    }
}

fn paint_name(page: &Page<'_>, line: &str, name: &str) -> String {
    match line.strip_prefix(name) {
        Some(rest) => format!("{}{rest}", paint(page.look, Tone::Bold, name)),
        None => line.to_owned(),
    }
}

/// Names what was opened: whole where it fits, else by its last folders.
fn input_name(inputs: &[String], room: usize) -> String {
    let (first, more) = match inputs {
        [] => return String::new(),
        [one] => (one, String::new()),
        [first, rest @ ..] => (first, format!(" and {} more", rest.len())),
    };
    let first = match first.as_str() {
        "-" => "standard input",
        "." => "this folder",
        // The folders above it are the engineer's own, and reports are pasted into tickets.
        path if Path::new(path).is_absolute() => {
            let path = path.trim_end_matches('/');
            path.rsplit('/').next().unwrap_or(path)
        }
        path => path.trim_end_matches('/'),
    };
    let room = room.saturating_sub(columns(&more)).max(16);
    let first = snippet::clean(first);
    if columns(&first) <= room {
        return format!("{first}{more}");
    }
    let parts: Vec<&str> = first.split('/').collect();
    let tails = (1..parts.len()).map(|from| parts.get(from..).unwrap_or_default().join("/"));
    let fitting = tails.map(|tail| format!("…/{tail}")).find(|tail| columns(tail) <= room);
    format!("{}{more}", fitting.unwrap_or_else(|| clipped(&first, room)))
}

/// Writes the bounds of a version as comparisons: "v0.2 or newer" is "≥ v0.2".
fn compare_sign(version: &str) -> String {
    if let Some(least) = version.strip_suffix(" or newer") {
        return format!("≥ {least}");
    }
    if let Some(most) = version.strip_suffix(" or older").filter(|text| !text.contains(' ')) {
        return format!("≤ {most}");
    }
    if let Some((only, _)) = version.split_once(" to ").filter(|(first, last)| first == last) {
        return only.to_owned();
    }
    match version.strip_prefix("newer than ") {
        Some(than) if !than.contains(' ') => format!("> {than}"),
        _ => version.to_owned(),
    }
}

/// Draws the causes, or the one that is asked for; returns how many places are left out.
fn causes(out: &mut String, page: &Page<'_>) -> usize {
    let verdict = &page.report.verdict;
    let all = verdict.causes.len();
    let mut hidden = 0;
    for number in page.drawn() {
        let Some(cause) = verdict.causes.get(number - 1) else { continue };
        let words = if all > 1 { format!("cause {number} of {all}") } else { String::new() };
        out.push('\n');
        rule_line(out, page, &words);
        hidden += finding::render(out, page, cause.finding, &cause.symptoms);
        let same = ticket::affected(cause, ALIKE);
        if !page.is_all() {
            if let Some(text) = same {
                let text = format!("{} Each in full: --all.", snippet::clean(&text));
                finding::keyed(out, page, "also", &text);
            }
            continue;
        }
        for alike in &cause.alike {
            out.push('\n');
            let words = format!("cause {number} of {all}, {}", snippet::clean(&alike.name));
            rule_line(out, page, &words);
            hidden += finding::render(out, page, alike.finding, &alike.symptoms);
        }
    }
    let notes = match page.look.detail {
        Detail::All => verdict.remarks.clone(),
        Detail::Brief if all == 0 && verdict.remarks.len() <= TOLD_AT_ONCE => {
            verdict.remarks.clone()
        }
        _ => Vec::new(),
    };
    for note in &notes {
        out.push('\n');
        rule_line(out, page, "");
        hidden += finding::render(out, page, *note, &[]);
    }
    out.push('\n');
    hidden
}

/// Says what was not told above, a line each: notes, and what is to know about the bundle itself.
fn bookkeeping(out: &mut String, page: &Page<'_>) {
    let verdict = &page.report.verdict;
    let before = out.len();
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let lines = remarks_left(page).into_iter().chain(verdict.bookkeeping.iter().copied());
    let lines: Vec<usize> = lines.collect();
    for index in &lines {
        let Some(resolved) = page.report.findings.get(*index) else { continue };
        *seen.entry(resolved.finding.code).or_default() += 1;
    }
    for index in lines {
        if page.is_all() {
            finding::render(out, page, index, &[]);
            out.push('\n');
            continue;
        }
        let Some(resolved) = page.report.findings.get(index) else { continue };
        let finding = &resolved.finding;
        let (code, text) = (finding.code, snippet::masked(&finding.message));
        if page.look.verbose {
            let text = format!("{text} ({code})");
            wrap(out, &format!("{} ", mark(finding.severity)), "  ", &text, page.look.width);
            continue;
        }
        // What is said of many objects is said once.
        let Some(many) = seen.remove(code) else { continue };
        let more = if many > 1 { format!(" (and {} more: -v)", many - 1) } else { String::new() };
        let room = page.look.width.saturating_sub(4 + code.len() + columns(&more));
        let text = padded(&format!("{}{more}", digest(&text, room)), room + columns(&more));
        let code = colors::code(page, code);
        let _ = writeln!(out, "{} {text}  {code}", mark(finding.severity));
    }
    if page.look.verbose {
        reading(out, page);
    }
    if out.len() > before && !page.is_all() {
        out.push('\n');
    }
}

/// Returns the notes that were neither drawn nor named as the reason of something that is as planned.
fn remarks_left(page: &Page<'_>) -> Vec<usize> {
    let verdict = &page.report.verdict;
    let drawn = verdict.causes.is_empty() && verdict.remarks.len() <= TOLD_AT_ONCE;
    if page.is_all() || drawn {
        return Vec::new();
    }
    let calm = verdict.planned.iter().chain(&verdict.superseded);
    let named: BTreeSet<usize> = calm.flat_map(|it| &it.reasons).map(|it| it.finding).collect();
    verdict.remarks.iter().copied().filter(|index| !named.contains(index)).collect()
}

/// Says how the bundle was read: the clock, the logs, the encodings.
fn reading(out: &mut String, page: &Page<'_>) {
    let report = page.report;
    let coverage = &report.coverage;
    let objects: usize = coverage.objects.iter().map(|(_, count)| count).sum();
    let mut parts = vec![count(objects, "object")];
    if coverage.skipped_objects > 0 {
        parts.push(format!("{} of other kinds", coverage.skipped_objects));
    }
    if coverage.binary > 0 {
        parts.push(format!("{} skipped", count(coverage.binary, "binary file")));
    }
    if coverage.logs > 0 {
        let total = |count: fn(&LogReading) -> u64| report.logs.iter().map(count).sum::<u64>();
        parts.push(format!("{} of logs", count(coverage.log_lines, "line")));
        parts.push(format!(
            "{}: {} understood, {} attached",
            count(total(|log| log.records), "record"),
            total(|log| log.understood),
            total(|log| log.attached)
        ));
    }
    let _ = writeln!(out, "· {}", parts.join(" · "));
    if let Some(place) = clock_place(page) {
        let _ = writeln!(out, "· The capture clock is {place}.");
    }
    for log in &report.logs {
        let covers = log.covers.map(|(first, last)| {
            format!("{} to {}; ", show_timestamp(first), show_timestamp(last))
        });
        let text =
            format!("{}: {}{}", page.paths.show(&log.path), covers.unwrap_or_default(), log.timing);
        wrap(out, "· ", "  ", &text, page.look.width);
    }
    for path in &coverage.decoded {
        let path = page.paths.show(path);
        let text = format!("{path} is UTF-16: columns count in the decoded text.");
        wrap(out, "· ", "  ", &text, page.look.width);
    }
}

/// Says what the capture clock was read from.
fn clock_place(page: &Page<'_>) -> Option<String> {
    let at = |span: Span| {
        let file = page.sources.get(span.source);
        format!("{}:{}", page.paths.show(file.path()), file.position(span.lo).line)
    };
    match page.report.clock.source {
        ClockSource::NewestStamp(span) | ClockSource::NewestLogLine(span) => {
            Some(format!("the newest timestamp ({})", at(span)))
        }
        ClockSource::LogEnd(file) => {
            let path = page.paths.show(page.sources.get(file).path());
            Some(format!("the last line of {path}"))
        }
        ClockSource::AgeColumn(span) => Some(format!("the age of an object ({})", at(span))),
        ClockSource::Given | ClockSource::Unknown => None,
    }
}

fn tail(out: &mut String, page: &Page<'_>, hidden: usize) {
    let report = page.report;
    let verdict = &report.verdict;
    let mut parts: Vec<String> = Vec::new();
    let causes = verdict.causes.len();
    let symptoms = match verdict.symptoms() {
        0 => String::new(),
        some => format!(", {}", count(some, "symptom")),
    };
    parts.push(match causes {
        0 => "No cause found.".to_owned(),
        some => format!("{}{symptoms}.", count(some, "cause")),
    });
    match page.look.detail {
        Detail::Brief if causes > TOLD_AT_ONCE => {
            parts.push("Shown: cause 1. One of the others: --cause 2. All: --all.".to_owned());
        }
        Detail::Cause(number) => parts.push(format!("Shown: cause {number}. All: --all.")),
        _ => {}
    }
    if hidden > 0 {
        parts.push(format!("{}: --all.", count(hidden, "more place")));
    }
    let known = report.suppressed.iter().filter(|told| told.by == SuppressedBy::Baseline).count();
    let suppressed = report.suppressed.len() - known;
    if suppressed > 0 {
        parts.push(format!("{} suppressed.", count(suppressed, "finding")));
    }
    match report.asks.len() {
        0 if coverage_is_whole(page) => {
            parts.push("Nothing is missing for this verdict.".to_owned());
        }
        0 => parts.push("Not checked: agent logs, none in this bundle.".to_owned()),
        some => {
            let them = count(some, "read-only command");
            parts.push(format!("To get further, ask for more: {them} (--asks)."));
        }
    }
    if page.look.shell.is_none() && report.coverage.powershell {
        parts.push(
            "Commands are for PowerShell, whose prompts are in the bundle (--shell bash)."
                .to_owned(),
        );
    }
    let mut text = String::new();
    wrap(&mut text, "", "", &parts.join(" "), page.look.width);
    out.push_str(&text);
}

/// Says whether what was found needs nothing that was not sent: a cause is proven, or the agents' logs are there.
fn coverage_is_whole(page: &Page<'_>) -> bool {
    !page.report.verdict.causes.is_empty() || page.report.coverage.logs > 0
}
