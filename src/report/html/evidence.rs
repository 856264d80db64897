//! The evidence: lines of the bundle with their true numbers, and the list of all findings.

use maud::{Markup, html};

use crate::engine::{Place, Report, Resolved};
use crate::report::path_in_bundle;
use crate::report::prose::count;
use crate::report::snippet::{line, masked};
use crate::report::ticket::places;
use crate::source::Sources;

/// How many places of one cause are shown.
const PLACES: usize = 24;
/// How many causes show their evidence.
const CAUSES: usize = 40;
/// How many columns a line of the bundle may take.
const WIDTH: usize = 160;

/// Draws the evidence of the causes, folded but for the first.
pub(super) fn of_causes(report: &Report, sources: &Sources) -> Markup {
    let causes = report.verdict.causes.iter().take(CAUSES);
    let told: Vec<&Resolved> =
        causes.filter_map(|cause| report.findings.get(cause.finding)).collect();
    html! {
        @if !told.is_empty() {
            section aria-labelledby="evidence" {
                h2 id="evidence" { "Evidence" }
                @for (index, resolved) in told.iter().enumerate() {
                    details open[index == 0] {
                        summary {
                            (index + 1) ". " (resolved.finding.code) " " (masked(&resolved.finding.message))
                        }
                        div { (boxes(report, resolved, sources)) }
                    }
                }
            }
        }
    }
}

/// Draws the places of a finding, those of one file in one box, in the order of the rule.
fn boxes(report: &Report, resolved: &Resolved, sources: &Sources) -> Markup {
    let mut files: Vec<(&str, Vec<&Place>)> = Vec::new();
    for place in places(resolved).take(PLACES) {
        match files.iter_mut().find(|(path, _)| *path == place.path) {
            Some((_, own)) => own.push(place),
            None => files.push((&place.path, vec![place])),
        }
    }
    files.iter_mut().for_each(|(_, own)| own.sort_by_key(|place| place.span));
    html! {
        @for (path, own) in &files {
            p.code { (path_in_bundle(report, path)) }
            pre.src tabindex="0" {
                @for place in own.iter() {
                    @let (_, shown) = line(sources.get(place.span.source), place.span, WIDTH);
                    @let (from, to) = (shown.place.start, shown.place.end);
                    span.line {
                        span.number { (place.start.line) }
                        (shown.text.get(..from).unwrap_or_default())
                        mark { (shown.text.get(from..to).unwrap_or_default()) }
                        (shown.text.get(to..).unwrap_or_default())
                    }
                    @if !place.label.is_empty() { span.label { (masked(&place.label)) } }
                }
            }
        }
    }
}

/// Draws the list of all findings, which the script can filter.
pub(super) fn all(report: &Report) -> Markup {
    html! {
        @if !report.findings.is_empty() {
            section aria-labelledby="findings" {
                h2 id="findings" { "All findings" }
                details id="all" {
                    summary { (count(report.findings.len(), "finding")) }
                    div {
                        div.filter {
                            label for="words" { "Search" }
                            input id="words" type="search" placeholder="object, code, words";
                            label for="severity" { "Severity" }
                            select id="severity" {
                                option value="" { "all" }
                                option value="error" { "error" }
                                option value="warning" { "warning" }
                                option value="note" { "note" }
                            }
                            span id="shown" role="status" {}
                        }
                        @for resolved in &report.findings { (row(report, resolved)) }
                    }
                }
            }
        }
    }
}

fn row(report: &Report, resolved: &Resolved) -> Markup {
    let finding = &resolved.finding;
    let place = &resolved.primary;
    let object = place.object.as_ref().map(|key| masked(&key.to_string())).unwrap_or_default();
    let message = masked(&finding.message);
    let words = format!("{} {} {object} {message}", finding.code, finding.name).to_lowercase();
    let folded = if resolved.explained_by.is_empty() { "" } else { " · symptom" };
    html! {
        div.row data-severity=(finding.severity.word()) data-words=(words) {
            p.code {
                (finding.code) " " (finding.name) " · " (finding.severity.word()) (folded) " · "
                (path_in_bundle(report, &place.path)) ":" (place.start.line)
            }
            p { (message) }
        }
    }
}
