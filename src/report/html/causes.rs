//! Causes with what to do about each.

use maud::{Markup, html};

use super::inline;
use crate::engine::{Report, ResolvedFinding};
use crate::finding::{Command, Risk, RunsOn, Step};
use crate::report::prose::count;
use crate::report::snippet::{masked, masked_lines};
use crate::report::ticket::{affected, certainty, sentence};

/// How many causes are drawn in full; the rest is in the list of findings.
const CAUSES: usize = 40;
/// So many clusters or objects of which the same is true are named.
const ALIKE: usize = 50;

/// Draws what to do about each cause, in its order.
pub(super) fn to_do(report: &Report) -> Markup {
    let causes = &report.verdict.causes;
    html! {
        @if !causes.is_empty() {
            section aria-labelledby="causes" {
                h2 id="causes" { "Do this" }
                @for (index, cause) in causes.iter().enumerate().take(CAUSES) {
                    @if let Some(resolved) = report.findings.get(cause.finding) {
                        (draw((causes.len() > 1).then_some(index + 1), resolved, cause.symptoms.len()))
                        @if let Some(same) = affected(cause, ALIKE) { p.comment { (masked(&same)) } }
                    }
                }
                @if causes.len() > CAUSES {
                    p { (causes.len() - CAUSES) " more causes are in the list of findings below." }
                }
            }
        }
    }
}

fn draw(number: Option<usize>, resolved: &ResolvedFinding, symptoms: usize) -> Markup {
    let finding = &resolved.finding;
    let next = masked(finding.what_then());
    // Whether a run is to be created at all is said before its manifest.
    let first = finding.steps.iter().any(|step| matches!(step, Step::Create(_)));
    html! {
        article class={"cause " (finding.severity.word())} {
            @if let Some(number) = number {
                h3 { (number) " · " (inline(&sentence(&masked(&finding.message)))) }
                p.code { (finding.code) " " (finding.name) " · " (finding.severity.word()) " · " (certainty(resolved)) }
            }
            @if !finding.why.is_empty() { p.why { (inline(&sentence(&masked(&finding.why)))) } }
            @if first && !next.is_empty() { p { (sentence(&next)) } }
            @if !finding.steps.is_empty() {
                ol.do { @for step in &finding.steps { li { (draw_step(step)) } } }
            }
            @if !first && !next.is_empty() { p { strong { "Then " } (sentence(&next)) } }
            @if !finding.hint.is_empty() { p.comment { (inline(&sentence(&masked(&finding.hint)))) } }
            @if symptoms > 0 { p.comment { (count(symptoms, "symptom")) " of it in the list of all findings." } }
        }
    }
}

fn draw_step(step: &Step) -> Markup {
    match step {
        Step::Run(one) => one_command(one),
        Step::Decide { question, choices } => html! {
            p { strong { (masked(question)) } }
            @for choice in choices { (one_command(choice)) }
        },
        Step::Create(object) => html! {
            p { (masked(&object.effect)) " Save it as " code { (masked(&object.file)) } "." }
            (boxed("cmd man", &masked_lines(&object.manifest)))
            (command(&masked(&object.create.posix())))
        },
    }
}

fn one_command(one: &Command) -> Markup {
    let (class, risk) = match one.risk() {
        Risk::Destructive => ("irreversible", Some("Irreversible")),
        // What it changes says more than that it can be changed back, which time may forbid.
        Risk::Reversible => ("step", one.effect().is_empty().then_some("Reversible")),
        Risk::ReadOnly => ("step", Some("Read-only")),
    };
    let place = match one.place() {
        RunsOn::Hub => "on the hub".to_owned(),
        RunsOn::Member(cluster) => format!("on {}", masked(cluster)),
        RunsOn::UnknownMember => "on the member cluster".to_owned(),
    };
    html! {
        div class=(class) {
            p.risk {
                @if let Some(risk) = risk { strong { (risk) } " · " }
                (place)
                @if !one.effect().is_empty() { " · " (masked(one.effect())) }
            }
            (command(&masked(&one.posix())))
        }
    }
}

/// Draws a text that can be copied.
pub(super) fn command(text: &str) -> Markup {
    boxed("cmd", text)
}

fn boxed(class: &str, text: &str) -> Markup {
    html! {
        div.box {
            pre class=(class) tabindex="0" { (text) }
            button.copy.script type="button" { "copy" }
        }
    }
}
