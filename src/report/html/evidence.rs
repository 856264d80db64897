//! The evidence: lines of the bundle with their true numbers, and the list of all findings.

use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, html};

use super::inline;
use crate::engine::{Place, Report, ResolvedFinding};
use crate::report::paths::Paths;
use crate::report::prose::count;
use crate::report::snippet::{line, masked};
use crate::report::ticket::places;
use crate::source::Sources;

/// How many places of one cause are shown.
const PLACES: usize = 24;
/// How many causes show their evidence.
const CAUSES: usize = 40;
/// With more findings, a row is laid out only when it comes into sight.
const MANY: usize = 200;
/// How many objects are offered to filter by; any other can be typed.
const OBJECTS: usize = 300;
/// How many columns a line of the bundle may take.
const WIDTH: usize = 112;

/// Draws the evidence of the causes, folded but for the first.
pub(super) fn of_causes(report: &Report, sources: &Sources) -> Markup {
    let paths = Paths::of(report, sources);
    let causes = report.verdict.causes.iter().take(CAUSES);
    let told: Vec<&ResolvedFinding> =
        causes.filter_map(|cause| report.findings.get(cause.finding)).collect();
    html! {
        @if !told.is_empty() {
            section aria-labelledby="evidence" {
                h2 id="evidence" { "Evidence" }
                @for (index, resolved) in told.iter().enumerate() {
                    details open[index == 0] {
                        summary {
                            (index + 1) ". " (inline(&masked(&resolved.finding.message)))
                            span.place {
                                (paths.show(&resolved.primary.path)) ":" (resolved.primary.start.line)
                            }
                        }
                        div { (boxes(&paths, resolved, sources)) }
                    }
                }
            }
        }
    }
}

/// Draws the places of a finding, those of one file in one box, in the order of the rule.
fn boxes(paths: &Paths, resolved: &ResolvedFinding, sources: &Sources) -> Markup {
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
            p.code { (paths.show(path)) }
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
pub(super) fn all(report: &Report, sources: &Sources) -> Markup {
    let paths = Paths::of(report, sources);
    html! {
        @if !report.findings.is_empty() {
            section aria-labelledby="findings" {
                h2 id="findings" { "All findings" }
                details id="all" class=[(report.findings.len() > MANY).then_some("many")] {
                    summary { (count(report.findings.len(), "finding")) }
                    div {
                        (filter(report))
                        @for resolved in &report.findings { (row(&paths, resolved)) }
                    }
                }
            }
        }
    }
}

/// Draws what the script filters by: words, severity, code, object.
fn filter(report: &Report) -> Markup {
    let findings = &report.findings;
    let codes: BTreeMap<&str, &str> =
        findings.iter().map(|it| (it.finding.code, it.finding.name)).collect();
    let objects: BTreeSet<String> = findings.iter().filter_map(object_of).take(OBJECTS).collect();
    html! {
        div.filter {
            label { "Search " input id="words" type="search"; }
            label {
                "Severity "
                select id="severity" {
                    option value="" { "all" }
                    @for severity in ["error", "warning", "note"] { option value=(severity) { (severity) } }
                }
            }
            label {
                "Code "
                select id="code" {
                    option value="" { "all" }
                    @for (code, name) in &codes { option value=(code) { (code) " " (name) } }
                }
            }
            label { "Object " input id="object" type="search" list="objects"; }
            datalist id="objects" { @for object in &objects { option value=(object) {} } }
            span id="shown" role="status" {}
        }
    }
}

fn object_of(resolved: &ResolvedFinding) -> Option<String> {
    resolved.primary.object.as_ref().map(|key| masked(&key.to_string()))
}

fn row(paths: &Paths, resolved: &ResolvedFinding) -> Markup {
    let finding = &resolved.finding;
    let place = &resolved.primary;
    let object = object_of(resolved).unwrap_or_default();
    let message = masked(&finding.message);
    let folded = if resolved.explained_by.is_empty() { "" } else { " · symptom" };
    html! {
        div.row data-severity=(finding.severity.word()) data-code=(finding.code) data-object=(object) {
            p.code {
                (finding.code) " " (finding.name) " · " (finding.severity.word()) (folded) " · "
                @if !object.is_empty() { (object) " · " }
                (paths.show(&place.path)) ":" (place.start.line)
            }
            p { (inline(&message)) }
        }
    }
}
