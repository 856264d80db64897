//! One HTML file that loads nothing: verdict, what to do, picture, evidence, what is missing, provenance.
//!
//! Owns the frame of the page and its content security policy: script and style are allowed by their digests, so that
//! nothing which an input might smuggle in can run. Everything that is text of an input passes through `snippet` and is
//! then escaped by maud. The page says all it has to say without its script.

mod causes;
mod evidence;
mod picture;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest as _, Sha256};

use super::prose::count;
use super::snippet::{clean, masked};
use super::ticket::{clock, headline, looked_at, mark};
use crate::engine::Report;
use crate::engine::verdict::{Standing, State};
use crate::finding::Severity;
use crate::source::Sources;

const STYLE: &str = include_str!("html/style.css");
const SCRIPT: &str = include_str!("html/script.js");

/// Renders a report as one page.
pub fn render(report: &Report, sources: &Sources) -> String {
    let title = headline(report);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width,initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(policy());
                meta name="referrer" content="no-referrer";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                a.skip href="#main" { "Skip to the verdict" }
                header { (strip(report)) }
                main id="main" {
                    (verdict(report, &title))
                    (causes::to_do(report))
                    @if let Some(drawn) = &report.picture {
                        section aria-labelledby="picture" {
                            h2 id="picture" { (picture::title(drawn)) }
                            (picture::draw(drawn, &report.clock))
                        }
                    }
                    (evidence::of_causes(report, sources))
                    (evidence::all(report))
                    (missing(report))
                }
                footer { (provenance(report)) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string() + "\n"
}

/// Returns the policy: no source but this file's own style and script.
fn policy() -> String {
    format!(
        "default-src 'none'; style-src '{}'; script-src '{}'; base-uri 'none'; form-action 'none'",
        digest(STYLE),
        digest(SCRIPT)
    )
}

fn digest(text: &str) -> String {
    format!("sha256-{}", data_encoding::BASE64.encode(&Sha256::digest(text)))
}

fn strip(report: &Report) -> Markup {
    let coverage = &report.coverage;
    html! {
        p.strip {
            span { (count(coverage.files, "file")) }
            @if coverage.logs > 0 { span { (count(coverage.logs, "log")) } }
            span { "captured " (clock(report)) }
            @if let Some(version) = &coverage.version { span { (clean(version)) } }
        }
    }
}

fn verdict(report: &Report, title: &str) -> Markup {
    let worst = report.findings.iter().map(|it| it.finding.severity).max();
    let class = match worst {
        Some(Severity::Error) => "verdict",
        Some(Severity::Warning) => "verdict warning",
        _ => "verdict well",
    };
    let verdict = &report.verdict;
    html! {
        section class=(class) aria-labelledby="title" {
            h1 id="title" { (title) }
            @if verdict.unwell.is_empty() && verdict.planned.is_empty() {
                @let basis = &verdict.basis;
                p {
                    (looked_at(basis))
                }
            } @else {
                div.scroll {
                    table {
                        thead { tr { th { "name" } th { "state" } th { "why" } } }
                        tbody {
                            @for standing in verdict.unwell.iter().take(40) { (row(standing)) }
                            @for standing in verdict.planned.iter().take(20) { (row(standing)) }
                        }
                    }
                }
            }
            (counts(report))
        }
    }
}

fn row(standing: &Standing) -> Markup {
    let class = match standing.state {
        State::Failed | State::Stuck | State::Blocked | State::Deleting => "state bad",
        State::Succeeded | State::Available => "state ok",
        State::InProgress => "state go",
        _ => "state wait",
    };
    html! {
        tr {
            td { (masked(&standing.name)) }
            td { span class=(class) { (mark(standing)) } " " (masked(&standing.words)) }
            td { @if let Some(reason) = standing.reasons.first() { (masked(&reason.text)) } }
        }
    }
}

/// Says how many are not listed, and how many are well.
fn counts(report: &Report) -> Markup {
    let verdict = &report.verdict;
    let hidden = verdict.unwell.len().saturating_sub(40) + verdict.planned.len().saturating_sub(20);
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

fn missing(report: &Report) -> Markup {
    html! {
        section aria-labelledby="missing" {
            h2 id="missing" { "What is missing" }
            @if report.verdict.basis.logs == 0 {
                p { "Not checked: agent logs, none in this bundle." }
            }
            @if report.asks.is_empty() {
                p { "Nothing else is missing for this verdict." }
            } @else {
                details {
                    summary { (report.asks.len()) " read-only commands would tell more" }
                    div {
                        @for ask in report.asks.iter().take(60) {
                            p.comment { (masked(&ask.decides)) }
                            (causes::command(&masked(&ask.command.posix())))
                        }
                    }
                }
            }
        }
    }
}

fn provenance(report: &Report) -> Markup {
    html! {
        p { "fleetlens " (env!("CARGO_PKG_VERSION")) ". Clock: " (clock(report)) "." }
        @if let Some(made) = &report.provenance {
            @for input in &made.inputs {
                p { (clean(&input.name)) ", sha256 " code { (input.sha256) } }
            }
            @if !made.flags.is_empty() { p { "Options: " code { (masked(&made.flags.join(" "))) } } }
        }
        p { "Check again: " code { "fleetlens verify report.json BUNDLE" } }
    }
}

#[cfg(test)]
mod tests {
    use super::{SCRIPT, STYLE, policy};

    #[test]
    fn style_and_script_cannot_end_their_element() {
        assert!(!STYLE.contains("</") && !SCRIPT.contains("</"));
        assert!(!policy().contains("unsafe") && !policy().contains("http"));
    }
}
