//! The causes: what each is, why, what happens then, and what to do.

use std::fmt::Write as _;

use super::{Open, Steps, code, fence, prose, summary};
use crate::engine::verdict::Cause;
use crate::engine::{Report, ResolvedFinding};
use crate::finding::{NewObject, Step};
use crate::report::prose::count;
use crate::report::snippet::{masked, masked_lines};
use crate::report::ticket::{affected, certainty, sentence};

/// So many clusters or objects of which the same is true are named.
const ALIKE: usize = 20;

/// Tells the first causes in full.
pub(super) fn causes(out: &mut String, report: &Report, open: Open) {
    let all = &report.verdict.causes;
    let mut said = String::new();
    for (index, cause) in all.iter().enumerate().take(open.causes) {
        let Some(resolved) = report.findings.get(cause.finding) else { continue };
        write_cause(out, resolved, (all.len() > 1).then_some(index + 1), open.steps, &mut said);
        same(out, cause);
        symptoms(out, report, &cause.symptoms);
    }
}

/// Says of what else a cause is true.
fn same(out: &mut String, cause: &Cause) {
    let text = affected(cause, ALIKE);
    text.iter().for_each(|text| out.push_str(&format!("{}\n\n", prose(&masked(text)))));
}

/// Writes one cause; what happens then is not said twice in a row.
fn write_cause(
    out: &mut String,
    resolved: &ResolvedFinding,
    number: Option<usize>,
    steps: Steps,
    said: &mut String,
) {
    let finding = &resolved.finding;
    let title = number.map_or_else(|| "Cause".to_owned(), |number| format!("Cause {number}"));
    let _ = write!(
        out,
        "**{title}** ({}, {}, {}). {}",
        finding.code,
        finding.severity.word(),
        certainty(resolved),
        prose(&sentence(&masked(&finding.message))),
    );
    if !finding.why.is_empty() {
        let _ = write!(out, " {}", prose(&sentence(&masked(&finding.why))));
    }
    if !finding.hint.is_empty() {
        let _ = write!(out, " {}", prose(&sentence(&masked(&finding.hint))));
    }
    out.push_str("\n\n");
    let next = masked(finding.what_then());
    let news = if next == *said { String::new() } else { format!(" {}", prose(&sentence(&next))) };
    *said = next;
    if finding.steps.is_empty() && news.trim().is_empty() {
        return;
    }
    let _ = writeln!(out, "**Do**.{}\n", news.trim_end());
    match steps {
        Steps::Folded if !finding.steps.is_empty() => {
            let number = count(finding.steps.len(), "step");
            let _ = writeln!(out, "<details><summary>{number}</summary>\n");
            all_steps(out, finding.steps.iter(), Steps::All);
            out.push_str("</details>\n\n");
        }
        _ => all_steps(out, finding.steps.iter(), steps),
    }
}

fn all_steps<'s>(out: &mut String, steps: impl Iterator<Item = &'s Step>, open: Steps) {
    let mut folded: Vec<&NewObject> = Vec::new();
    for (index, step) in steps.enumerate() {
        match step {
            Step::Create(object) if open != Steps::All => {
                folded.push(object);
                create(out, index + 1, object, open);
            }
            Step::Create(object) => create(out, index + 1, object, open),
            Step::Run(_) | Step::Decide { .. } => commands(out, index + 1, step),
        }
    }
    for object in folded {
        let file = summary(&masked(&object.file));
        let _ = writeln!(out, "<details><summary>{file}</summary>\n");
        let _ = writeln!(out, "{}\n\n</details>\n", fence("yaml", &masked_lines(&object.manifest)));
    }
}

fn commands(out: &mut String, number: usize, step: &Step) {
    let said = |question: &str| prose(&sentence(&capital(&masked(question))));
    match step {
        Step::Decide { question, choices } => {
            let _ = writeln!(out, "{number}. {}\n", said(question));
            let lines = choices
                .iter()
                .map(|it| format!("# {}\n{}", masked(&it.comment()), masked(&it.posix())));
            block(out, "sh", &lines.collect::<Vec<_>>().join("\n"));
        }
        _ => {
            for command in step.commands() {
                let _ = writeln!(out, "{number}. {}\n", said(&command.comment()));
                block(out, "sh", &masked(&command.posix()));
            }
        }
    }
}

fn create(out: &mut String, number: usize, object: &NewObject, open: Steps) {
    let effect = prose(&masked(&object.effect));
    let file = code(&masked(&object.file));
    if open == Steps::All {
        let _ = writeln!(out, "{number}. {effect} Save it as {file}.\n");
        block(out, "yaml", &masked_lines(&object.manifest));
        block(out, "sh", &masked(&object.create.posix()));
    } else {
        let create = code(&masked(&object.create.posix()));
        let _ = writeln!(out, "{number}. Save {file} (below) and run {create}. {effect}\n");
    }
}

fn block(out: &mut String, language: &str, text: &str) {
    for line in fence(language, text).lines() {
        let _ = writeln!(out, "   {line}");
    }
    out.push('\n');
}

/// Begins a sentence of ours with a capital: where a command runs is no name.
fn capital(text: &str) -> String {
    match text.strip_prefix("on ") {
        Some(rest) => format!("On {rest}"),
        None => text.to_owned(),
    }
}

fn symptoms(out: &mut String, report: &Report, symptoms: &[usize]) {
    if symptoms.is_empty() {
        return;
    }
    let number = count(symptoms.len(), "symptom");
    let _ = writeln!(out, "<details><summary>{number} of it</summary>\n");
    let told = symptoms.iter().filter_map(|index| report.findings.get(*index));
    list(out, told, symptoms.len(), |it| it.finding.code.to_owned());
}

/// Folds the causes that are not told in full, with what to do about the next few, and the remarks.
pub(super) fn others(out: &mut String, report: &Report, told: usize) {
    let (all, mut said) = (&report.verdict.causes, String::new());
    let next = all.iter().enumerate().skip(told).take(5);
    for (index, cause) in next {
        let Some(resolved) = report.findings.get(cause.finding) else { continue };
        let message = summary(&masked(&resolved.finding.message));
        let _ = writeln!(out, "<details><summary>Cause {}: {message}</summary>\n", index + 1);
        write_cause(out, resolved, Some(index + 1), Steps::All, &mut said);
        same(out, cause);
        out.push_str("</details>\n\n");
    }
    let causes = all.iter().skip(told + 5).map(|cause| cause.finding);
    let rest: Vec<usize> = causes.chain(report.verdict.remarks.iter().copied()).collect();
    if rest.is_empty() {
        return;
    }
    let _ = writeln!(out, "<details><summary>Also noticed: {}</summary>\n", rest.len());
    let told = rest.iter().filter_map(|index| report.findings.get(*index));
    list(out, told, rest.len(), |it| {
        format!("{} ({})", it.finding.code, it.finding.severity.word())
    });
}

/// Lists findings, one per line, and ends what is folded.
fn list<'f>(
    out: &mut String,
    findings: impl Iterator<Item = &'f ResolvedFinding>,
    all: usize,
    title: impl Fn(&ResolvedFinding) -> String,
) {
    const MOST: usize = 40;
    for resolved in findings.take(MOST) {
        let message = prose(&masked(&resolved.finding.message));
        let _ = writeln!(out, "- {}: {message}", title(resolved));
    }
    if all > MOST {
        let _ = writeln!(out, "- and {} more", all - MOST);
    }
    out.push_str("\n</details>\n\n");
}
