//! What to do about a finding: commands with what they change as a comment above them, decisions, objects to create.

use std::fmt::Write as _;

use super::colors::{Tone, paint};
use super::{Page, Shell};
use crate::finding::{Command, Finding, NewObject, Step};
use crate::report::prose::wrap;
use crate::report::snippet;

/// The column at which what is to be done begins.
const INDENT: usize = 8;

/// Draws the steps of a finding.
pub(super) fn render(out: &mut String, page: &Page<'_>, finding: &Finding) {
    let steps = &finding.steps;
    let numbered = steps.len() > 1 && steps.iter().any(|step| !matches!(step, Step::Run(_)));
    let mut body = String::new();
    let mut said = String::new();
    for (index, step) in steps.iter().enumerate() {
        let number = if numbered { format!("{}  ", index + 1) } else { String::new() };
        let indent = INDENT + number.len();
        let before = body.len();
        match step {
            Step::Run(command) => run(&mut body, page, command, indent, &mut said),
            Step::Decide { question, choices } => {
                said.clear();
                decide(&mut body, page, question, choices, indent);
            }
            Step::Create(object) => {
                said.clear();
                let before = shown_before(page, finding, object);
                create(&mut body, page, object, before, indent);
            }
        }
        if numbered {
            put_number(&mut body, before, &number);
        }
    }
    // The key stands before the first line.
    if let Some(rest) = body.get(INDENT..).filter(|_| !body.is_empty()) {
        let _ = write!(out, "  {}    {rest}", paint(page.look, Tone::Bold, "do"));
    }
}

/// Writes the number of a step over the blanks of its first line.
fn put_number(body: &mut String, at: usize, number: &str) {
    let end = at + INDENT + number.len();
    if body.get(at..end).is_some_and(|blanks| blanks.trim().is_empty()) {
        body.replace_range(at + INDENT..end, number);
    }
}

/// Writes a command under its comment; commands of which the same is said share one.
fn run(out: &mut String, page: &Page<'_>, command: &Command, indent: usize, said: &mut String) {
    let comment = command.comment();
    if comment != *said {
        note(out, page, &comment, indent);
        *said = comment;
    }
    line(out, page, command, indent);
}

fn note(out: &mut String, page: &Page<'_>, comment: &str, indent: usize) {
    let lead = format!("{}# ", " ".repeat(indent));
    let mut lines = String::new();
    wrap(&mut lines, &lead, &lead, &snippet::masked(comment), page.look.width);
    for line in lines.lines() {
        let text = line.get(indent..).unwrap_or_default();
        let _ = writeln!(out, "{}{}", " ".repeat(indent), paint(page.look, Tone::Dim, text));
    }
}

/// Writes a command, which is never wrapped: it has to survive copy and paste.
fn line(out: &mut String, page: &Page<'_>, command: &Command, indent: usize) {
    let _ = writeln!(out, "{}{}", " ".repeat(indent), words(page, command));
}

/// Returns the text of a command for the shell that is asked for.
pub(super) fn words(page: &Page<'_>, command: &Command) -> String {
    let shell = page.look.shell.unwrap_or(if page.report.coverage.powershell {
        Shell::PowerShell
    } else {
        Shell::Posix
    });
    snippet::clean(&match shell {
        Shell::Posix => command.posix(),
        Shell::PowerShell => command.powershell(),
    })
}

fn decide(out: &mut String, page: &Page<'_>, question: &str, choices: &[Command], indent: usize) {
    let blanks = " ".repeat(indent);
    wrap(out, &blanks, &blanks, &snippet::masked(question), page.look.width);
    out.push('\n');
    let mut said = String::new();
    for choice in choices {
        run(out, page, choice, indent, &mut said);
    }
    out.push('\n');
}

/// Returns the number of an earlier cause under which the same manifest stands.
fn shown_before(page: &Page<'_>, finding: &Finding, object: &NewObject) -> Option<usize> {
    let has = |finding: &Finding| {
        let same = |step: &Step| matches!(step, Step::Create(it) if it.manifest == object.manifest);
        finding.steps.iter().any(same)
    };
    let drawn = page.drawn();
    let causes = page.report.verdict.causes.iter().enumerate();
    let drawn = causes.filter(|(index, _)| drawn.contains(&(index + 1)));
    let told = drawn.filter_map(|(index, cause)| {
        Some((index + 1, &page.report.findings.get(cause.finding)?.finding))
    });
    let before = told.take_while(|(_, told)| !std::ptr::eq(*told, finding));
    before.filter(|(_, told)| has(told)).map(|(number, _)| number).next()
}

fn create(
    out: &mut String,
    page: &Page<'_>,
    object: &NewObject,
    before: Option<usize>,
    indent: usize,
) {
    let blanks = " ".repeat(indent);
    wrap(out, &blanks, &blanks, &snippet::masked(&object.effect), page.look.width);
    out.push('\n');
    if let Some(number) = before {
        let comment = format!("the manifest stands under cause {number}");
        note(out, page, &comment, indent);
        line(out, page, &object.create, indent);
        out.push('\n');
        return;
    }
    let _ = writeln!(
        out,
        "{blanks}{}",
        paint(page.look, Tone::Dim, &format!("# save as {}", snippet::clean(&object.file)))
    );
    for text in object.manifest.lines() {
        let _ = writeln!(out, "{blanks}{}", snippet::clean(text));
    }
    out.push('\n');
    line(out, page, &object.create, indent);
    out.push('\n');
}
