//! The verdict: one sentence, the causes in one line each, and how runs and placements stand.

use maud::{Markup, html};

use super::inline;
use crate::engine::verdict::{Health, Standing, StandingState};
use crate::engine::{Report, ResolvedFinding, Subject};
use crate::finding::Severity;
use crate::report::prose::count;
use crate::report::snippet::masked;
use crate::report::ticket::{certainty, looked_at, mark, places, sentence, symbol_of};

/// How many causes the card tells.
const CAUSES: usize = 3;
/// How many runs and placements are listed that are not well, and that are as planned.
const ROWS: (usize, usize) = (40, 20);

/// Draws the card that stands above everything.
pub(super) fn card(report: &Report, title: &str) -> Markup {
    let worst = report.findings.iter().map(|it| it.finding.severity).max();
    let class = match worst {
        Some(Severity::Error) => "verdict",
        Some(Severity::Warning) => "verdict warning",
        _ => "verdict well",
    };
    let verdict = &report.verdict;
    let told: Vec<&ResolvedFinding> = verdict
        .causes
        .iter()
        .take(CAUSES)
        .filter_map(|cause| report.findings.get(cause.finding))
        .collect();
    let says_it = |it: &ResolvedFinding| masked(&it.finding.message).trim_end_matches('.') == title;
    html! {
        section class=(class) aria-labelledby="title" {
            (kicker(report))
            h1 id="title" { (title) }
            @if report.health() != Health::Ill { p { (looked_at(report)) } }
            @for (index, resolved) in told.iter().enumerate().filter(|(_, it)| !says_it(it)) {
                p {
                    @if verdict.causes.len() > 1 { strong { (index + 1) " · " } }
                    (inline(&sentence(&masked(&resolved.finding.message))))
                }
            }
            @if verdict.causes.len() > CAUSES {
                p { (verdict.causes.len() - CAUSES) " more below." }
            }
            (tags(&told))
            @if verdict.unwell.len() > 2 { (tiles(report)) }
        }
    }
}

/// Says the worst state in one word.
fn kicker(report: &Report) -> Markup {
    let verdict = &report.verdict;
    let word = match (verdict.unwell.as_slice(), verdict.causes.len()) {
        ([one], _) => mark(one),
        ([], 0) if report.health() == Health::Nothing => "? NOTHING TO JUDGE".to_owned(),
        ([], 0) if report.health() == Health::Unread => "? NOT ALL COULD BE READ".to_owned(),
        ([], 0) if report.health() == Health::Unsettled => "? NOT SETTLED".to_owned(),
        ([], 0) if matches!(report.health(), Health::Untold | Health::Rows) => {
            "? NOTHING WRONG IS SHOWN".to_owned()
        }
        ([], 0) => "✓ NOTHING WRONG".to_owned(),
        _ if report.subject == Subject::Manifests => "✗ MANIFESTS AT FAULT".to_owned(),
        (_, 1) => "✗ 1 CAUSE".to_owned(),
        (_, causes) => format!("✗ {causes} CAUSES"),
    };
    html! { p.word { (word) } }
}

/// Names the rules that speak, how bad it is and how sure.
fn tags(told: &[&ResolvedFinding]) -> Markup {
    html! {
        @if !told.is_empty() {
            ul.tags {
                @for resolved in told { li { (resolved.finding.code) " " (resolved.finding.name) } }
                @if let [one] = told {
                    li { (one.finding.severity.word()) }
                    li { (certainty(one)) ", " (count(places(one).count(), "place")) }
                }
            }
        }
    }
}

/// Counts runs and placements by their state.
fn tiles(report: &Report) -> Markup {
    let verdict = &report.verdict;
    let all = verdict.unwell.iter().chain(&verdict.planned).chain(&verdict.succeeded);
    let mut counts: Vec<(StandingState, bool, usize)> = Vec::new();
    for standing in all {
        let is_run = standing.object.kind.ends_with("StagedUpdateRun");
        match counts.iter_mut().find(|(state, run, _)| (*state, *run) == (standing.state, is_run)) {
            Some((.., number)) => *number += 1,
            None => counts.push((standing.state, is_run, 1)),
        }
    }
    counts.sort_by_key(|(state, run, _)| (*state, !run));
    html! {
        ul.tiles {
            @for (state, run, number) in counts.iter().take(6) {
                li {
                    strong { (number) }
                    span {
                        (symbol_of(*state)) " " (if *run { "run" } else { "placement" })
                        @if *number != 1 { "s" } " " (state.word().to_lowercase())
                    }
                }
            }
        }
    }
}

/// Draws how runs and placements stand, the worst first.
pub(super) fn table(report: &Report) -> Markup {
    let verdict = &report.verdict;
    html! {
        @if !(verdict.unwell.is_empty() && verdict.planned.is_empty()) {
            section aria-labelledby="standings" {
                h2 id="standings" { "Runs and placements" }
                div.scroll tabindex="0" role="region" aria-labelledby="standings" {
                    table {
                        thead { tr { th { "name" } th { "state" } th { "why" } } }
                        tbody {
                            @for standing in verdict.unwell.iter().take(ROWS.0) { (row(standing)) }
                            @for standing in verdict.planned.iter().take(ROWS.1) { (row(standing)) }
                        }
                    }
                }
                (counts(report))
            }
        }
    }
}

fn row(standing: &Standing) -> Markup {
    let class = match standing.state {
        StandingState::Failed
        | StandingState::Stuck
        | StandingState::Blocked
        | StandingState::Deleting => "state bad",
        StandingState::Succeeded | StandingState::Available => "state ok",
        StandingState::InProgress => "state go",
        _ => "state wait",
    };
    html! {
        tr {
            td { strong { (masked(&standing.name)) } }
            td { span class=(class) { (mark(standing)) } " " (masked(&standing.words)) }
            td {
                @if let Some(reason) = standing.reasons.first() { (inline(&masked(&reason.text))) }
                @if standing.reasons.len() > 1 { " And " (standing.reasons.len() - 1) " more." }
            }
        }
    }
}

/// Says how many are not listed, and how many are well.
fn counts(report: &Report) -> Markup {
    let verdict = &report.verdict;
    let hidden =
        verdict.unwell.len().saturating_sub(ROWS.0) + verdict.planned.len().saturating_sub(ROWS.1);
    let parts: Vec<String> = [
        (hidden, "more", "not listed"),
        (verdict.succeeded.len(), "run", "succeeded"),
        (verdict.available.len(), "placement", "available"),
        (verdict.superseded.len(), "run", "failed earlier and replaced"),
    ]
    .into_iter()
    .filter(|(number, ..)| *number > 0)
    .map(|(number, noun, words)| match noun {
        "more" => format!("{number} more {words}"),
        _ => format!("{} {words}", count(number, noun)),
    })
    .collect();
    html! { @if !parts.is_empty() { p { (parts.join(", ")) "." } } }
}
