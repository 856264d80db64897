//! One HTML file that loads nothing: verdict, what to do, picture, evidence, what is missing, provenance.
//!
//! Owns the frame of the page and its content security policy: script and style are allowed by their digests, so that
//! nothing which an input might smuggle in can run. Everything that is text of an input passes through `snippet` and is
//! then escaped by maud. The page says all it has to say without its script.

mod causes;
mod diagram;
mod evidence;
mod verdict;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest as _, Sha256};

use super::paths::Paths;
use super::prose::count;
use super::snippet::{clean, masked};
use super::ticket::{catalogue, clock, headline, unread};
use crate::engine::{Report, Subject};
use crate::source::Sources;

/// With more causes, a printed page tells only the first in full.
const BUSY: usize = 3;

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
                header { (strip(report, sources)) }
                main id="main" class=[(report.verdict.causes.len() > BUSY).then_some("busy")] {
                    (verdict::card(report, &title))
                    (causes::to_do(report))
                    (diagram::section(report))
                    (verdict::table(report))
                    (evidence::of_causes(report, sources))
                    (diagram::history(report, sources))
                    (evidence::all(report, sources))
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

/// Writes a sentence in which backticks stand around what is code.
fn inline(text: &str) -> Markup {
    let parts: Vec<&str> = text.split('`').collect();
    html! {
        @if parts.len().is_multiple_of(2) { (text) } @else {
            @for (index, part) in parts.iter().enumerate() {
                @if index % 2 == 1 { code { (part) } } @else { (part) }
            }
        }
    }
}

fn digest(text: &str) -> String {
    format!("sha256-{}", data_encoding::BASE64.encode(&Sha256::digest(text)))
}

fn strip(report: &Report, sources: &Sources) -> Markup {
    let coverage = &report.coverage;
    let names = match report.subject {
        Subject::Bundle => Paths::named(report).names(&coverage.inputs),
        Subject::Manifests => Paths::of(report, sources).names(&coverage.inputs),
    };
    html! {
        p.strip {
            @if let Some((first, rest)) = names.split_first() {
                strong {
                    @if first == "-" { "standard input" } @else { (first) }
                    @if !rest.is_empty() { " and " (rest.len()) " more" }
                }
            }
            span {
                (count(coverage.files, "file"))
                @if coverage.logs > 0 { ", " (count(coverage.logs, "log")) }
            }
            @if report.subject == Subject::Bundle { span { "captured " (clock(report)) } }
            @if let Some(version) = &coverage.version { span { "KubeFleet " (clean(version)) } }
        }
    }
}

fn missing(report: &Report) -> Markup {
    if report.subject == Subject::Manifests {
        return html! {};
    }
    html! {
        section aria-labelledby="missing" {
            h2 id="missing" { "What is missing" }
            @for lost in unread(report).iter().take(20) { p { strong { "Not read: " } (inline(lost)) } }
            @if report.subject == Subject::Bundle && report.verdict.basis.logs == 0 {
                p { "Not checked: agent logs, none in this bundle." }
            } @else if report.asks.is_empty() {
                p { "Nothing for this verdict." }
            }
            @if !report.asks.is_empty() {
                details {
                    summary { (count(report.asks.len(), "read-only command")) " would tell more" }
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
    let made = report.provenance.as_ref();
    let names: Vec<String> =
        made.iter().flat_map(|made| &made.inputs).map(|input| clean(&input.name)).collect();
    html! {
        p {
            "fleetlens " (env!("CARGO_PKG_VERSION")) ", " (catalogue())
            @if report.subject == Subject::Bundle { " · clock: " (clock(report)) }
        }
        @if let Some(made) = made {
            @for input in made.inputs.iter().take(20) {
                p { (clean(&input.name)) " sha256 " code { (input.sha256) } }
            }
            @if !made.flags.is_empty() { p { "options " code { (masked(&made.flags.join(" "))) } } }
        }
        @if report.subject == Subject::Bundle && !names.is_empty() {
            p { "check again: " code { "fleetlens verify report.json " (names.join(" ")) } }
        }
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
