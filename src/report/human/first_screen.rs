//! The first screen: a line for each run and placement that is not well, worst first, with the reason in words.
//!
//! Where much is wrong at once the causes come first, each with those it holds up.

use std::fmt::Write as _;

use super::bundle::rule_line;
use super::colors::{self, Tone, mark, paint};
use super::reasons::{also, brief, coded_reason, reasons};
use super::{Look, Page, nothing_wrong};
use crate::engine::verdict::{Cause, Health, Standing, StandingState};
use crate::finding::Severity;
use crate::report::prose::{columns, count, padded, wrap};
use crate::report::snippet;

/// With more than this the causes come first.
pub(super) const MANY_CAUSES: usize = 3;
const MANY_STANDINGS: usize = 8;
/// More causes, or more runs of one cause, are counted.
const MAX_CAUSES: usize = 15;
pub(super) const MAX_HELD: usize = 5;
pub(super) const MAX_LISTED: usize = 8;
/// Longer names do not widen the column.
const WIDEST_NAME: usize = 32;
/// A code takes this, with the blanks before it.
pub(super) const CODE: usize = 8;
/// What further lines are moved in by.
pub(super) const INDENT: usize = 4;

pub(super) fn render(out: &mut String, page: &Page<'_>) {
    let verdict = &page.report.verdict;
    let ill = page.report.health() == Health::Ill;
    if !ill {
        nothing_wrong::render(out, page);
    } else if verdict.causes.len() > MANY_CAUSES || verdict.unwell.len() > MANY_STANDINGS {
        overview(out, page);
    } else {
        let names = name_width(verdict.unwell.iter().chain(&verdict.planned));
        let mut told: Vec<usize> = Vec::new();
        for standing in &verdict.unwell {
            one(out, page, standing, names);
            reasons(out, page, standing, &mut told);
        }
        for cause in verdict.causes.iter().filter(|cause| !told.contains(&cause.finding)) {
            alone(out, page, cause, "");
        }
    }
    rest(out, page);
}

/// Lists what is as planned, and counts what is well.
fn rest(out: &mut String, page: &Page<'_>) {
    let verdict = &page.report.verdict;
    let most = if page.is_all() { usize::MAX } else { MAX_LISTED };
    let names = name_width(verdict.unwell.iter().chain(&verdict.planned));
    let apart = page.report.health() == Health::Ill
        && verdict.unwell.len() + verdict.causes.len() > MANY_STANDINGS;
    if apart && !(verdict.planned.is_empty() && verdict.succeeded.is_empty()) {
        out.push('\n');
        rule_line(out, page, "as planned");
    }
    for standing in verdict.planned.iter().take(most) {
        one(out, page, standing, names);
        if verdict.planned.len() <= MANY_CAUSES && !verdict.causes.is_empty() {
            next(out, page, standing);
        }
    }
    if let Some(more) = verdict.planned.len().checked_sub(most).filter(|more| *more > 0) {
        let _ = writeln!(out, "  and {more} more (--all lists them)");
    }
    for standing in &verdict.superseded {
        let codes: Vec<&str> = standing.reasons.iter().map(|reason| reason.code).collect();
        let text = format!("· {} {} {}", standing.name, standing.state.word(), standing.words);
        let text = format!("{text}; a later run took over.");
        coded(out, page, &snippet::clean(&text), Tone::Dim, codes.first().copied());
    }
    let good = |text: String| paint(page.look, Tone::Good, "✓") + &format!(" {text}\n");
    let done = &verdict.succeeded;
    if page.is_all() {
        for standing in done.iter().chain(&verdict.available) {
            one(out, page, standing, names);
        }
    } else {
        match done.as_slice() {
            [] => {}
            [one] => out.push_str(&good(format!(
                "{} SUCCEEDED {}",
                snippet::clean(&one.name),
                one.words
            ))),
            many => {
                out.push_str(&good(format!("{} runs succeeded (--all lists them)", many.len())))
            }
        }
        let some = verdict.available.len();
        if some > 0 && page.report.health() == Health::Ill {
            let verb = if some == 1 { "is" } else { "are" };
            out.push_str(&good(format!("{} {verb} available", count(some, "placement"))));
        }
    }
}

/// Says what comes next for a run or a placement that is as planned.
fn next(out: &mut String, page: &Page<'_>, standing: &Standing) {
    let [reason] = standing.reasons.as_slice() else { return };
    let Some(resolved) = page.report.findings.get(reason.finding) else { return };
    let then = snippet::masked(&resolved.finding.then);
    let first = then.split_once(". ").map_or(then.as_str(), |(first, _)| first);
    if !first.is_empty() {
        let text = format!("{}.", first.trim_end_matches('.'));
        wrap(out, "    ", "    ", &text, page.look.width);
    }
}

fn name_width<'s>(standings: impl Iterator<Item = &'s Standing>) -> usize {
    let widths = standings.map(|standing| columns(&snippet::clean(&standing.name)));
    widths.max().unwrap_or(0).min(WIDEST_NAME)
}

/// Returns the mark of a standing, and what it means.
fn marked(standing: &Standing) -> (&'static str, Tone) {
    match (standing.severity, standing.state) {
        (Some(Severity::Error), _)
        | (_, StandingState::Failed | StandingState::Stuck | StandingState::Blocked) => {
            ("✗", Tone::Error)
        }
        (Some(Severity::Warning), _) => ("⚠", Tone::Warning),
        (
            _,
            StandingState::Waiting
            | StandingState::Stopped
            | StandingState::Stopping
            | StandingState::NotStarted,
        ) => ("‖", Tone::Warning),
        (_, StandingState::Succeeded | StandingState::Available) => ("✓", Tone::Good),
        _ => ("▸", Tone::Note),
    }
}

/// Writes the line of a run or a placement; with one reason its code stands at the end.
fn one(out: &mut String, page: &Page<'_>, standing: &Standing, names: usize) {
    let (sign, tone) = marked(standing);
    let name = padded(&snippet::clean(&standing.name), names);
    let words = snippet::clean(&standing.words);
    let gap = match words.split(' ').next().unwrap_or_default() {
        "" => "",
        "in" | "at" | "before" | "after" | "since" | "for" | "with" => " ",
        _ => ", ",
    };
    let whole = |words: &str| format!("{sign} {name}  {}{gap}{words}", standing.state.word());
    let room = page.look.width.saturating_sub(CODE + INDENT);
    let fits = |words: &String| columns(&whole(words)) <= room;
    let shorter = shortened(&words);
    let words = shorter.iter().find(|words| fits(words)).or(shorter.last()).cloned();
    let text = whole(&words.unwrap_or_default());
    let code = match standing.reasons.as_slice() {
        [only] => Some(only.code),
        _ => None,
    };
    coded(out, page, text.trim_end(), tone, code);
}

/// Returns what can be said of a standing, from all of it to the least: a line that does not fit does without the rest.
fn shortened(words: &str) -> Vec<String> {
    let brief = words.replace(" clusters updated", " updated");
    let uncounted = match brief.rsplit_once(", ") {
        Some((first, last)) if last.ends_with(" updated") => first.to_owned(),
        _ => brief.clone(),
    };
    let (what, since) = match uncounted.rsplit_once(" since ") {
        Some((what, since)) => (what.to_owned(), format!(" since {since}")),
        None => (uncounted.clone(), String::new()),
    };
    let counted = match what.split_once(" on ") {
        Some((what, names)) if names.contains(" and ") => {
            format!("{what} on {} clusters", names.matches(", ").count() + 2)
        }
        _ => what.clone(),
    };
    let timed = format!("{counted}{since}");
    vec![words.to_owned(), brief, uncounted, timed, counted]
}

/// Writes a line whose first word or two carry the tone, with a code at the right edge.
fn coded(out: &mut String, page: &Page<'_>, text: &str, tone: Tone, code: Option<&str>) {
    let width = page.look.width;
    let room = width.saturating_sub(if code.is_some() { CODE } else { 0 });
    let mut lines = String::new();
    wrap(&mut lines, "", "    ", &keep_blanks(text), room);
    let lines = lines.replace('\u{1}', " ");
    for (index, line) in lines.lines().enumerate() {
        let shown = if index == 0 { tinted(page, line, tone) } else { line.to_owned() };
        match code.filter(|_| index == 0) {
            Some(code) => {
                let blanks = " ".repeat(width.saturating_sub(columns(line) + code.len()).max(2));
                let _ = writeln!(out, "{shown}{blanks}{}", colors::code(page, code));
            }
            None => {
                let _ = writeln!(out, "{shown}");
            }
        }
    }
}

/// Protects runs of blanks, which align columns, from being folded.
fn keep_blanks(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut blanks = 0;
    for c in text.chars() {
        if c == ' ' {
            blanks += 1;
            continue;
        }
        match blanks {
            0 => {}
            1 => out.push(' '),
            many => (0..many).for_each(|_| out.push('\u{1}')),
        }
        blanks = 0;
        out.push(c);
    }
    out
}

/// Colours the mark and the words in capitals of a line.
fn tinted(page: &Page<'_>, line: &str, tone: Tone) -> String {
    let mut chars = line.chars();
    let Some(sign) = chars.next() else { return String::new() };
    let rest = chars.as_str();
    let sign = paint(page.look, tone, &sign.to_string());
    // The state is what stands in capitals after two blanks.
    match rest.rsplit_once("  ") {
        Some((name, words)) if words.starts_with(|c: char| c.is_ascii_uppercase()) => {
            let is_state = |c: char| c.is_ascii_uppercase() || c == ' ';
            let end = words.find(|c| !is_state(c)).unwrap_or(words.len());
            let (state, words) = words.split_at(end);
            let (state, blank) = (state.trim_end(), &state[state.trim_end().len()..]);
            format!("{sign}{name}  {}{blank}{words}", paint(page.look, tone, state))
        }
        _ => format!("{sign}{rest}"),
    }
}

/// Writes a cause that holds up no run and no placement of the bundle.
fn alone(out: &mut String, page: &Page<'_>, cause: &Cause, lead: &str) {
    let Some(resolved) = page.report.findings.get(cause.finding) else { return };
    let finding = &resolved.finding;
    let text = brief(page, &finding.message);
    let text = format!("{lead}{} {text}", mark(finding.severity));
    coded(out, page, &text, finding.severity.into(), Some(finding.code));
    also(out, page, &names_alike(cause), 4);
}

/// Returns the names of what else a cause is true of.
fn names_alike(cause: &Cause) -> Vec<String> {
    cause.alike.iter().map(|alike| snippet::clean(&alike.name)).collect()
}

/// Draws a fleet in which much is wrong: the counts, then the causes with those that they hold up.
fn overview(out: &mut String, page: &Page<'_>) {
    let verdict = &page.report.verdict;
    let all = verdict.unwell.iter().chain(&verdict.planned).chain(&verdict.superseded);
    let all = || all.clone().chain(&verdict.succeeded).chain(&verdict.available);
    for (noun, is_kind) in [("run", "StagedUpdateRun"), ("placement", "ResourcePlacement")] {
        let here: Vec<&Standing> =
            all().filter(|standing| standing.object.kind.ends_with(is_kind)).collect();
        if here.is_empty() {
            continue;
        }
        let mut states: Vec<StandingState> = here.iter().map(|standing| standing.state).collect();
        states.sort_unstable();
        states.dedup();
        let counts = states.iter().map(|state| {
            let number = here.iter().filter(|standing| standing.state == *state).count();
            format!("{number} {}", state.word().to_lowercase())
        });
        let counts: Vec<String> = counts.collect();
        let bad = here.iter().any(|standing| marked(standing).0 == "✗");
        let (sign, tone) = if bad { ("✗", Tone::Error) } else { ("▸", Tone::Note) };
        let text = format!("{sign} {}: {}", count(here.len(), noun), counts.join(", "));
        coded(out, page, &text, tone, None);
    }
    let causes = verdict.causes.len();
    out.push('\n');
    rule_line(out, page, &format!("{}, widest first", count(causes, "cause")));
    let most = if page.is_all() { usize::MAX } else { MAX_CAUSES };
    let digits = causes.to_string().len();
    for (index, cause) in verdict.causes.iter().enumerate().take(most) {
        let Some(resolved) = page.report.findings.get(cause.finding) else { continue };
        let severity = resolved.finding.severity;
        let lead = format!("{:>digits$} ", index + 1);
        let text = brief(page, &resolved.finding.message);
        let text = format!("{} {text}", mark(severity));
        let mut lines = String::new();
        coded_reason(&mut lines, page, &lead, &text, Some(resolved.finding.code));
        out.push_str(&lines.replacen(
            mark(severity),
            &paint(page.look, severity.into(), mark(severity)),
            1,
        ));
        also(out, page, &names_alike(cause), digits + 3);
        held(out, page, cause, digits + 3);
    }
    if let Some(more) = causes.checked_sub(most).filter(|more| *more > 0) {
        let _ = writeln!(out, "  and {} (--all lists them)", count(more, "more cause"));
    }
    let of_cause = |index: usize| {
        verdict
            .causes
            .iter()
            .any(|cause| cause.members().any(|member| member.holds.contains(&index)))
    };
    let others = verdict.unwell.iter().enumerate().filter(|(index, _)| !of_cause(*index));
    let others: Vec<&Standing> = others.map(|(_, standing)| standing).collect();
    let names = name_width(others.iter().copied());
    for standing in others.iter().take(most) {
        one(out, page, standing, names);
    }
}

/// Lists the runs and placements that a cause holds up.
fn held(out: &mut String, page: &Page<'_>, cause: &Cause, indent: usize) {
    let verdict = &page.report.verdict;
    let most = if page.is_all() { usize::MAX } else { MAX_HELD };
    let held: Vec<&Standing> =
        cause.all_holds().iter().filter_map(|index| verdict.unwell.get(*index)).collect();
    let names = name_width(held.iter().take(most).copied());
    for standing in held.iter().take(most) {
        let bare = Standing { reasons: Vec::new(), ..(*standing).clone() };
        let mut line = String::new();
        let inner = Page {
            look: Look { width: page.look.width.saturating_sub(indent), ..page.look },
            paths: page.paths.clone(),
            ..*page
        };
        one(&mut line, &inner, &bare, names);
        for line in line.lines() {
            let _ = writeln!(out, "{}{line}", " ".repeat(indent));
        }
    }
    if let Some(more) = held.len().checked_sub(most).filter(|more| *more > 0) {
        let _ = writeln!(out, "{}and {more} more", " ".repeat(indent));
    }
}
