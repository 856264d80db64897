//! The evidence: places with their true lines, and what happened before.

use std::fmt::Write as _;

use super::{Open, cell, code, prose};
use crate::engine::{Report, ResolvedFinding};
use crate::report::paths::Paths;
use crate::report::prose::count;
use crate::report::snippet;
use crate::report::ticket::{moment, places, quoted};
use crate::source::Sources;

/// How many places are folded at most.
const FOLDED: usize = 60;

/// Lists the places of the causes that are told.
pub(super) fn write(out: &mut String, report: &Report, sources: &Sources, open: Open) {
    let causes = report.verdict.causes.iter().take(open.causes);
    let told: Vec<&ResolvedFinding> =
        causes.filter_map(|cause| report.findings.get(cause.finding)).collect();
    if told.is_empty() {
        return;
    }
    out.push_str("**Evidence**\n\n");
    let paths = Paths::of(report, sources);
    let mut folded = Vec::new();
    for resolved in told {
        for (index, place) in places(resolved).enumerate() {
            let at = code(&format!("{}:{}", paths.show(&place.path), place.start.line));
            let text = snippet::text(sources.get(place.span.source), place.span);
            let label = prose(&snippet::masked(&place.label));
            let line = format!("- {at} {} {label}", code(&quoted(&text))).trim_end().to_owned();
            if index < open.places {
                let _ = writeln!(out, "{line}");
            } else {
                folded.push(line);
            }
        }
    }
    out.push('\n');
    if !folded.is_empty() {
        let number = count(folded.len(), "more place");
        let _ = writeln!(out, "<details><summary>{number}</summary>\n");
        folded.iter().take(FOLDED).for_each(|line| {
            let _ = writeln!(out, "{line}");
        });
        out.push_str("\n</details>\n\n");
    }
}

/// Folds what happened, in order.
pub(super) fn history(out: &mut String, report: &Report, sources: &Sources) {
    let Some(told) = &report.history else { return };
    let paths = Paths::of(report, sources);
    let number = format!("{} of {}", told.events.len(), count(told.of, "event"));
    let _ = writeln!(out, "<details><summary>Timeline ({number})</summary>\n");
    out.push_str("| UTC | cluster | what | where |\n|---|---|---|---|\n");
    for event in &told.events {
        let file = sources.get(event.span.source);
        let line = file.position(event.span.lo).line;
        let (time, words) = (moment(event.time), cell(&snippet::masked(&event.words)));
        let bold = if event.cause.is_some() { "**" } else { "" };
        let _ = writeln!(
            out,
            "| {bold}{time}{bold} | {} | {bold}{words}{bold} | {} |",
            cell(&snippet::clean(&event.lane)),
            cell(&format!("{}:{line}", paths.show(file.path()))),
        );
    }
    out.push_str("\n</details>\n\n");
}
