//! Markdown for the engineer who has the ticket: verdict, what to do, picture, evidence, what is missing, provenance.
//!
//! Short enough to be read in the ticket, at most sixty lines before something is unfolded. Nothing of the input leaves
//! its place: names in prose are escaped, quotes stand in code of their own length of fence.

mod diagram;
mod evidence;
mod text;
mod to_do;

use std::fmt::Write as _;

use super::prose::count;
use super::snippet;
use super::ticket::{catalogue, clock, headline, looked_at, mark, unread};
use crate::engine::verdict::Standing;
use crate::engine::{Report, Subject};
use crate::source::Sources;
use text::summary;
pub(super) use text::{cell, code, fence, prose};

/// How many lines stand open.
const LINES: usize = 60;

/// How much stands open; the rest is folded.
#[derive(Clone, Copy, Debug)]
struct Open {
    /// So many causes are told in full.
    causes: usize,
    /// So many rows of runs and placements, and of the picture.
    rows: usize,
    /// So many places of evidence of one cause.
    places: usize,
    /// Whether manifests and commands stand open.
    steps: Steps,
}

/// Which steps stand open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Steps {
    /// All of them.
    All,
    /// Commands; manifests are folded.
    Commands,
    /// No section is open.
    Folded,
}

/// From most to least: the first that fits is taken.
const LEVELS: [Open; 5] = [
    Open { causes: 3, rows: 12, places: 4, steps: Steps::All },
    Open { causes: 3, rows: 10, places: 3, steps: Steps::Commands },
    Open { causes: 2, rows: 8, places: 3, steps: Steps::Commands },
    Open { causes: 1, rows: 6, places: 3, steps: Steps::Commands },
    Open { causes: 1, rows: 4, places: 3, steps: Steps::Folded },
];

/// Renders a report as Markdown.
pub fn render(report: &Report, sources: &Sources) -> String {
    let mut text = String::new();
    for open in LEVELS {
        text = told(report, sources, open);
        if unfolded(&text) <= LINES {
            break;
        }
    }
    text
}

fn told(report: &Report, sources: &Sources, open: Open) -> String {
    let mut out = format!("# {}\n\n", prose(&headline(report)));
    standings(&mut out, report, open.rows);
    to_do::causes(&mut out, report, open);
    if let Some(drawn) = report.diagram.as_ref() {
        diagram::write(&mut out, drawn, open.rows);
    }
    evidence::write(&mut out, report, sources, open);
    evidence::history(&mut out, report, sources);
    to_do::others(&mut out, report, open.causes);
    missing(&mut out, report);
    let _ = writeln!(out, "<sub>{}</sub>", provenance(report));
    out
}

/// Counts the lines that a reader sees before unfolding anything.
fn unfolded(text: &str) -> usize {
    let mut folded = false;
    let mut count = 0;
    for line in text.lines() {
        count += usize::from(!folded);
        folded = (folded || line.starts_with("<details>")) && line != "</details>";
    }
    count
}

fn standings(out: &mut String, report: &Report, rows: usize) {
    let verdict = &report.verdict;
    if verdict.unwell.is_empty() && verdict.planned.is_empty() {
        let _ = writeln!(out, "{}\n", looked_at(report));
        return;
    }
    out.push_str("| run or placement | state | why |\n|---|---|---|\n");
    let row = |out: &mut String, standing: &Standing| {
        let why = standing.reasons.first().map(|reason| snippet::masked(&reason.text));
        let more = match standing.reasons.len() {
            0 | 1 => String::new(),
            all => format!(" And {} more.", all - 1),
        };
        let _ = writeln!(
            out,
            "| {} | {} {} | {}{more} |",
            cell(&snippet::masked(&standing.name)),
            mark(standing),
            cell(&snippet::masked(&standing.words)),
            cell(&why.unwrap_or_default()),
        );
    };
    let planned = (rows / 2).max(2);
    verdict.unwell.iter().take(rows).for_each(|standing| row(out, standing));
    verdict.planned.iter().take(planned).for_each(|standing| row(out, standing));
    let hidden =
        verdict.unwell.len().saturating_sub(rows) + verdict.planned.len().saturating_sub(planned);
    let mut rest: Vec<String> = Vec::new();
    if hidden > 0 {
        rest.push(format!("{hidden} more not listed"));
    }
    if !verdict.succeeded.is_empty() {
        rest.push(format!("{} succeeded", count(verdict.succeeded.len(), "run")));
    }
    if !verdict.available.is_empty() {
        rest.push(format!("{} available", count(verdict.available.len(), "placement")));
    }
    out.push('\n');
    if !rest.is_empty() {
        let _ = writeln!(out, "{}.\n", rest.join(", "));
    }
}

fn missing(out: &mut String, report: &Report) {
    if report.subject == Subject::Manifests {
        return;
    }
    for lost in unread(report).iter().take(3) {
        let _ = writeln!(out, "**Not read**: {}\n", prose(lost));
    }
    if report.asks.is_empty() {
        let logs = if report.verdict.basis.logs == 0 {
            "agent logs were not checked, none in this bundle"
        } else {
            "nothing for this verdict"
        };
        let _ = writeln!(out, "**Missing**: {logs}.\n");
        return;
    }
    let commands = match report.asks.len() {
        1 => "1 read-only command".to_owned(),
        many => format!("{many} read-only commands"),
    };
    let _ = writeln!(out, "<details><summary>Missing: {commands} would tell more</summary>\n");
    let lines: Vec<String> = report
        .asks
        .iter()
        .take(30)
        .map(|ask| {
            let decides = snippet::masked(&ask.decides);
            format!("# {decides}\n{}", snippet::masked(&ask.command.posix()))
        })
        .collect();
    let _ = writeln!(out, "{}\n\n</details>\n", fence("sh", &lines.join("\n")));
}

/// Returns where the report comes from, in one line.
fn provenance(report: &Report) -> String {
    let mut parts = vec![format!("fleetlens {}, {}", env!("CARGO_PKG_VERSION"), catalogue())];
    let mut names = Vec::new();
    if let Some(made) = &report.provenance {
        for input in made.inputs.iter().take(3) {
            parts.push(format!("{} sha256 {}", code(&snippet::clean(&input.name)), input.sha256));
            names.push(snippet::clean(&input.name));
        }
        let more = made.inputs.len().saturating_sub(3);
        parts.extend((more > 0).then(|| format!("{} more", count(more, "input"))));
        if !made.flags.is_empty() {
            parts.push(format!("options {}", code(&snippet::masked(&made.flags.join(" ")))));
        }
    }
    if report.subject == Subject::Manifests {
        return parts.join(" · ");
    }
    parts.push(format!("clock: {}", prose(&clock(report))));
    if !names.is_empty() {
        let again = format!("fleetlens verify report.json {}", names.join(" "));
        parts.push(format!("check again: {}", code(&again)));
    }
    parts.join(" · ")
}
