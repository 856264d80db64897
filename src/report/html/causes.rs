//! Causes with what to do about each.

use maud::{Markup, html};

use crate::engine::{Report, Resolved};
use crate::finding::{Command, Risk, Step};
use crate::report::prose::count;
use crate::report::snippet::{masked, masked_lines};
use crate::report::ticket::{certainty, comment, sentence, then};

/// How many causes are drawn in full; the rest is in the list of findings.
const CAUSES: usize = 40;

/// Draws the causes, numbered.
pub(super) fn to_do(report: &Report) -> Markup {
    let causes = &report.verdict.causes;
    html! {
        @if !causes.is_empty() {
            section aria-labelledby="causes" {
                h2 id="causes" {
                    @if causes.len() == 1 { "What to do" } @else { (causes.len()) " causes, and what to do" }
                }
                @for (index, cause) in causes.iter().enumerate().take(CAUSES) {
                    @if let Some(resolved) = report.findings.get(cause.finding) {
                        (draw(index + 1, resolved, cause.symptoms.len()))
                    }
                }
                @if causes.len() > CAUSES {
                    p { (causes.len() - CAUSES) " more causes are in the list of findings below." }
                }
            }
        }
    }
}

fn draw(number: usize, resolved: &Resolved, symptoms: usize) -> Markup {
    let finding = &resolved.finding;
    let next = then(resolved);
    html! {
        article class={"cause " (finding.severity.word())} {
            h3 { (number) ". " (sentence(&masked(&finding.message))) }
            p.code { (finding.code) " " (finding.name) " · " (finding.severity.word()) " · " (certainty(resolved)) }
            dl {
                @if !finding.why.is_empty() { dt { "why" } dd { (sentence(&masked(&finding.why))) } }
                @if !next.is_empty() { dt { "then" } dd { (sentence(&next)) } }
                @if !finding.hint.is_empty() { dt { "help" } dd { (masked(&finding.hint)) } }
                @if symptoms > 0 { dt { "so" } dd { (count(symptoms, "symptom")) ", listed with all findings" } }
            }
            @for step in &finding.steps { (draw_step(step)) }
        }
    }
}

fn draw_step(step: &Step) -> Markup {
    match step {
        Step::Run(one) => one_command(one),
        Step::Decide { question, choices } => html! {
            p { (masked(question)) }
            @for choice in choices { (one_command(choice)) }
        },
        Step::Create(object) => html! {
            p.comment { "Save as " code { (masked(&object.file)) } ". " (masked(&object.effect)) }
            (command(&masked_lines(&object.manifest)))
            (command(&masked(&object.create.posix())))
        },
    }
}

fn one_command(one: &Command) -> Markup {
    let class = if one.risk() == Risk::Destructive { "irreversible" } else { "step" };
    html! {
        div class=(class) {
            p.comment { (comment(one)) }
            (command(&masked(&one.posix())))
        }
    }
}

/// Draws a text that can be copied.
pub(super) fn command(text: &str) -> Markup {
    html! {
        div.box {
            pre.cmd tabindex="0" { (text) }
            button.copy.script type="button" { "copy" }
        }
    }
}
