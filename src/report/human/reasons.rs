//! Why a run or a placement is not well, in a few lines of the first screen.

use std::fmt::Write as _;

use super::first_screen::{CODE, INDENT, MANY_CAUSES, MAX_HELD, MAX_LISTED};
use super::{Page, colors};
use crate::engine::verdict::Standing;
use crate::report::prose::{columns, count, digest, wrap};
use crate::report::snippet;
use crate::report::ticket::also_of;

/// How many lines a sentence may take: the whole stands below.
const MANY_LINES: usize = 2;
const FEW_LINES: usize = 3;

/// Writes the reasons of a standing; what was said of another run already is only named.
pub(super) fn reasons(
    out: &mut String,
    page: &Page<'_>,
    standing: &Standing,
    told: &mut Vec<usize>,
) {
    let verdict = &page.report.verdict;
    let numbered = verdict.causes.len() > 1;
    let most = if page.is_all() { usize::MAX } else { MAX_LISTED };
    let groups = verdict.groups();
    let group_of = |finding: usize| groups.get(&finding).map(|(group, _)| *group);
    let mut seen: Vec<usize> = Vec::new();
    let mut lines = 0;
    for reason in &standing.reasons {
        // Those that say the same are told by their names, after the first of them.
        let group = group_of(reason.finding);
        if group.is_some_and(|group| seen.contains(&group)) {
            continue;
        }
        seen.extend(group);
        lines += 1;
        if lines > most {
            continue;
        }
        let number = verdict.number_of(reason.finding).filter(|_| numbered);
        let text = if told.contains(&reason.finding) && numbered {
            number.map(|number| format!("cause {number}, as above")).unwrap_or_default()
        } else {
            brief(page, &reason.text)
        };
        if text.is_empty() {
            continue;
        }
        told.push(reason.finding);
        let lead = number.map_or_else(|| "    ".to_owned(), |number| format!("{number:>3} "));
        let code = Some(reason.code).filter(|_| standing.reasons.len() > 1);
        coded_reason(out, page, &lead, &text, code);
        let Some(group) = group else { continue };
        let others = standing.reasons.iter().filter(|other| other.finding != reason.finding);
        let others: Vec<usize> = others.map(|other| other.finding).collect();
        told.extend(others.iter().filter(|other| group_of(**other) == Some(group)));
        let named = others.iter().filter_map(|other| groups.get(other));
        let names = named.filter(|(of, _)| *of == group).map(|(_, name)| snippet::clean(name));
        also(out, page, &names.collect::<Vec<_>>(), columns(&lead));
    }
    if let Some(more) = usize::checked_sub(lines, most).filter(|more| *more > 0) {
        let _ = writeln!(out, "    and {} (--all)", count(more, "more reason"));
    }
}

/// Says of which other clusters or objects a sentence is true.
pub(super) fn also(out: &mut String, page: &Page<'_>, names: &[String], indent: usize) {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let most = if page.is_all() { usize::MAX } else { MAX_HELD };
    if let Some(text) = also_of(&names, most) {
        let blanks = " ".repeat(indent);
        wrap(out, &blanks, &blanks, &text, page.look.width);
    }
}

pub(super) fn coded_reason(
    out: &mut String,
    page: &Page<'_>,
    lead: &str,
    text: &str,
    code: Option<&str>,
) {
    let width = page.look.width;
    let room = width.saturating_sub(if code.is_some() { CODE } else { 0 });
    let mut lines = String::new();
    let marked = text.starts_with(['✗', '⚠', '·']);
    let indent = columns(lead) + if marked { 2 } else { 0 };
    wrap(&mut lines, lead, &" ".repeat(indent), text, room);
    for (index, line) in lines.lines().enumerate() {
        match code.filter(|_| index == 0) {
            Some(code) => {
                let blanks = " ".repeat(width.saturating_sub(columns(line) + code.len()).max(2));
                let _ = writeln!(out, "{line}{blanks}{}", colors::code(page, code));
            }
            None => {
                let _ = writeln!(out, "{line}");
            }
        }
    }
}

/// Returns the sentence of a reason, a few lines of it at most: the whole stands below.
pub(super) fn brief(page: &Page<'_>, text: &str) -> String {
    let verdict = &page.report.verdict;
    let few = verdict.unwell.len() + verdict.causes.len() <= MANY_CAUSES;
    let lines = if few { FEW_LINES } else { MANY_LINES };
    // Lines end before the edge, since words are not broken.
    let room = page.look.width.saturating_sub(CODE + INDENT) * lines;
    digest(&snippet::masked(text), room.saturating_sub(2 * INDENT))
}
