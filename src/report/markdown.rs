//! Markdown for the engineer who has the ticket: verdict, what to do, picture, evidence, what is missing, provenance.
//!
//! Short enough to be read in the ticket; the rest is folded. Nothing of the input leaves its place: names in prose are
//! escaped, quotes stand in code of their own length of fence.

mod picture;
mod text;

use std::fmt::Write as _;

use super::prose::count;
use super::snippet;
use super::ticket::{
    certainty, clock, comment, headline, looked_at, mark, places, quoted, sentence, then,
};
use crate::engine::verdict::Standing;
use crate::engine::{Report, Resolved};
use crate::finding::Step;
use crate::source::Sources;
pub(super) use text::{cell, code, fence, prose};

/// How many causes are told in full; the rest is folded.
const CAUSES: usize = 3;
/// How many places of evidence of one cause are listed.
const PLACES: usize = 4;

/// Renders a report as Markdown.
pub fn render(report: &Report, sources: &Sources) -> String {
    let mut out = format!("# {}\n\n", prose(&headline(report)));
    standings(&mut out, report);
    for (index, cause) in report.verdict.causes.iter().enumerate().take(CAUSES) {
        let Some(resolved) = report.findings.get(cause.finding) else { continue };
        let number = (report.verdict.causes.len() > 1).then_some(index + 1);
        tell(&mut out, resolved, number);
        symptoms(&mut out, report, &cause.symptoms);
    }
    if let Some(drawn) = report.picture.as_ref() {
        picture::write(&mut out, drawn);
    }
    evidence(&mut out, report, sources);
    others(&mut out, report);
    missing(&mut out, report);
    let _ = writeln!(out, "<sub>{}</sub>", prose(&provenance(report)));
    out
}

fn standings(out: &mut String, report: &Report) {
    let verdict = &report.verdict;
    if verdict.unwell.is_empty() && verdict.planned.is_empty() {
        let _ = writeln!(out, "{}\n", looked_at(&verdict.basis));
        return;
    }
    out.push_str("| run or placement | state | why |\n|---|---|---|\n");
    let row = |out: &mut String, standing: &Standing| {
        let why = standing.reasons.first().map(|reason| snippet::masked(&reason.text));
        let _ = writeln!(
            out,
            "| {} | {} {} | {} |",
            cell(&snippet::masked(&standing.name)),
            mark(standing),
            cell(&snippet::masked(&standing.words)),
            cell(&why.unwrap_or_default()),
        );
    };
    verdict.unwell.iter().take(12).for_each(|standing| row(out, standing));
    verdict.planned.iter().take(6).for_each(|standing| row(out, standing));
    let hidden = verdict.unwell.len().saturating_sub(12) + verdict.planned.len().saturating_sub(6);
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

/// Tells one cause: what it is, why, what happens then, and what to do.
fn tell(out: &mut String, resolved: &Resolved, number: Option<usize>) {
    let finding = &resolved.finding;
    let title = number.map_or_else(|| "Cause".to_owned(), |number| format!("Cause {number}"));
    let _ = writeln!(
        out,
        "**{title}** ({}, {}, {}). {}",
        finding.code,
        finding.severity.word(),
        certainty(resolved),
        prose(&sentence(&snippet::masked(&finding.message))),
    );
    if !finding.why.is_empty() {
        let _ = writeln!(out, "{}", prose(&sentence(&snippet::masked(&finding.why))));
    }
    out.push('\n');
    let next = then(resolved);
    if finding.steps.is_empty() && next.is_empty() {
        return;
    }
    let _ = writeln!(out, "**Do**. {}\n", prose(&sentence(&next)));
    for (index, step) in finding.steps.iter().enumerate() {
        do_step(out, index + 1, step);
    }
}

fn do_step(out: &mut String, number: usize, step: &Step) {
    let block = |out: &mut String, language: &str, text: &str| {
        for line in fence(language, text).lines() {
            let _ = writeln!(out, "   {line}");
        }
        out.push('\n');
    };
    match step {
        Step::Run(command) => {
            let _ = writeln!(out, "{number}. {}\n", prose(&sentence(&comment(command))));
            block(out, "sh", &snippet::masked(&command.posix()));
        }
        Step::Decide { question, choices } => {
            let _ = writeln!(out, "{number}. {}\n", prose(&snippet::masked(question)));
            let lines: Vec<String> = choices
                .iter()
                .map(|it| format!("# {}\n{}", comment(it), snippet::masked(&it.posix())))
                .collect();
            block(out, "sh", &lines.join("\n"));
        }
        Step::Create(object) => {
            let _ = writeln!(
                out,
                "{number}. Save this as {} and create it. {}\n",
                code(&object.file),
                prose(&snippet::masked(&object.effect))
            );
            block(out, "yaml", &snippet::masked_lines(&object.manifest));
            block(out, "sh", &snippet::masked(&object.create.posix()));
        }
    }
}

fn symptoms(out: &mut String, report: &Report, symptoms: &[usize]) {
    if symptoms.is_empty() {
        return;
    }
    let _ =
        writeln!(out, "<details><summary>{} of it</summary>\n", count(symptoms.len(), "symptom"));
    for resolved in symptoms.iter().take(20).filter_map(|index| report.findings.get(*index)) {
        let message = prose(&snippet::masked(&resolved.finding.message));
        let _ = writeln!(out, "- {}: {message}", resolved.finding.code);
    }
    if symptoms.len() > 20 {
        let _ = writeln!(out, "- and {} more", symptoms.len() - 20);
    }
    out.push_str("\n</details>\n\n");
}

fn evidence(out: &mut String, report: &Report, sources: &Sources) {
    let causes = report.verdict.causes.iter().take(CAUSES);
    let told: Vec<&Resolved> =
        causes.filter_map(|cause| report.findings.get(cause.finding)).collect();
    if told.is_empty() {
        return;
    }
    out.push_str("**Evidence**\n\n");
    let mut folded = Vec::new();
    for resolved in told {
        for (index, place) in places(resolved).enumerate() {
            let path = super::path_in_bundle(report, &place.path);
            let at = code(&format!("{path}:{}", place.start.line));
            let text = snippet::text(sources.get(place.span.source), place.span);
            let label = prose(&snippet::masked(&place.label));
            let line = format!("- {at} {} {label}", code(&quoted(&text))).trim_end().to_owned();
            if index < PLACES {
                let _ = writeln!(out, "{line}");
            } else {
                folded.push(line);
            }
        }
    }
    out.push('\n');
    if !folded.is_empty() {
        let _ =
            writeln!(out, "<details><summary>{}</summary>\n", count(folded.len(), "more place"));
        folded.iter().take(60).for_each(|line| {
            let _ = writeln!(out, "{line}");
        });
        out.push_str("\n</details>\n\n");
    }
}

/// Folds the causes that are not told in full, and the remarks.
fn others(out: &mut String, report: &Report) {
    let causes = report.verdict.causes.iter().skip(CAUSES).map(|cause| cause.finding);
    let all: Vec<&Resolved> = causes
        .chain(report.verdict.remarks.iter().copied())
        .filter_map(|index| report.findings.get(index))
        .collect();
    if all.is_empty() {
        return;
    }
    let _ = writeln!(out, "<details><summary>Also noticed: {}</summary>\n", all.len());
    for resolved in all.iter().take(40) {
        let finding = &resolved.finding;
        let message = prose(&snippet::masked(&finding.message));
        let _ = writeln!(out, "- {} ({}): {message}", finding.code, finding.severity.word());
    }
    if all.len() > 40 {
        let _ = writeln!(out, "- and {} more", all.len() - 40);
    }
    out.push_str("\n</details>\n\n");
}

fn missing(out: &mut String, report: &Report) {
    if report.asks.is_empty() {
        let logs = if report.verdict.basis.logs == 0 {
            "agent logs were not checked, none in this bundle"
        } else {
            "nothing for this verdict"
        };
        let _ = writeln!(out, "**Missing**: {logs}.\n");
        return;
    }
    let _ = writeln!(
        out,
        "<details><summary>Missing: {} read-only commands would tell more</summary>\n",
        report.asks.len()
    );
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
pub(super) fn provenance(report: &Report) -> String {
    let mut parts = vec![format!("fleetlens {}", env!("CARGO_PKG_VERSION"))];
    if let Some(made) = &report.provenance {
        parts.extend(
            made.inputs
                .iter()
                .take(3)
                .map(|input| format!("{} sha256 {}", snippet::clean(&input.name), &input.sha256)),
        );
    }
    parts.push(format!("clock: {}", clock(report)));
    parts.join(" · ")
}
