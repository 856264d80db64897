//! "Nothing is wrong", and what that rests on: silence must not look like health.

use std::fmt::Write as _;

use super::Page;
use super::colors::{Tone, paint};
use crate::engine::verdict::{COMPARED, Health, Standing, StandingState};
use crate::kube::time::show_duration;
use crate::report::prose::{count, wrap};
use crate::report::snippet;

/// More places that could not be read are counted.
const MAX_LOSSES: usize = 3;

pub(super) fn render(out: &mut String, page: &Page<'_>) {
    let verdict = &page.report.verdict;
    let basis = &verdict.basis;
    let health = page.report.health();
    let words = match (health, verdict.narrowed) {
        (Health::Nothing, _) => {
            let text = "Nothing to judge: no object of KubeFleet and no log of its agents was \
                        recognised in this bundle.";
            wrap(out, "? ", "  ", text, page.look.width);
            return;
        }
        (Health::Well, true) => "Nothing is wrong in what was asked for.",
        (Health::Well, false) => "Nothing is wrong.",
        (Health::Unsettled, _) => "Nothing is proven wrong. What is not settled stands below.",
        (Health::Untold, _) => {
            "Nothing wrong is shown. The bundle does not tell how far everything is."
        }
        (Health::Rows, _) => "Nothing wrong is shown. Tables do not show everything.",
        _ => "Nothing wrong was seen in what could be read.",
    };
    let (mark, tone) = match health {
        Health::Well => ("✓", Tone::Good),
        _ => ("?", Tone::Bold),
    };
    let _ =
        writeln!(out, "{} {}", paint(page.look, tone, mark), paint(page.look, Tone::Bold, words));
    losses(out, page);
    let mut rows: Vec<(usize, &str, String)> = Vec::new();
    rows.push((basis.placements, "placement", placements(page)));
    if basis.members > 0 {
        let beat = basis.oldest_heartbeat.map(|age| {
            format!(", last heartbeat {} before the capture or newer", show_duration(age))
        });
        let joined = if basis.joined == basis.members {
            "joined".to_owned()
        } else {
            format!("{} joined", basis.joined)
        };
        rows.push((basis.members, "member", format!("{joined}{}", beat.unwrap_or_default())));
    }
    let (planned, unknown) = verdict.planned_runs();
    let told = [
        (verdict.succeeded.len(), "succeeded"),
        (planned, "waiting or in progress, as planned"),
        (verdict.superseded.len(), "failed and replaced by a later run"),
        (unknown, "not told how far"),
    ];
    let runs =
        basis.runs.max(verdict.succeeded.len() + verdict.superseded.len() + planned + unknown);
    let told: Vec<String> = told
        .iter()
        .filter(|(some, _)| *some > 0)
        .map(|(some, words)| share(*some, runs, words))
        .collect();
    rows.push((
        runs,
        "run",
        if told.is_empty() { "none in this bundle".to_owned() } else { told.join(", ") },
    ));
    let others = basis.works + basis.others;
    if others > 0 {
        let noun = if others == basis.size() { "object" } else { "other object" };
        rows.push((others, noun, "nothing wrong shown".to_owned()));
    }
    if basis.logs > 0 {
        rows.push((basis.logs, "log", "no failure that lasts".to_owned()));
    }
    for (number, noun, text) in rows {
        let noun = count(number, noun).split_once(' ').map(|(_, noun)| noun.to_owned());
        let lead = format!("  {number:>4} {:<13} ", noun.unwrap_or_default());
        wrap(out, &lead, &" ".repeat(lead.len()), &text, page.look.width);
    }
    if let Some((key, at)) = &basis.newest {
        let at = page.report.clock.show_moment(*at);
        let text = format!("Newest change: {}, available since {at}.", snippet::clean(&key.path()));
        out.push('\n');
        wrap(out, "    ", "    ", &text, page.look.width);
    }
    if !(verdict.planned.is_empty()
        && verdict.succeeded.is_empty()
        && verdict.superseded.is_empty())
    {
        out.push('\n');
    }
}

/// Lists what could not be read, each with its place.
fn losses(out: &mut String, page: &Page<'_>) {
    let unread = &page.report.verdict.unread;
    let lost = unread.iter().filter_map(|index| page.report.findings.get(*index));
    for loss in lost.take(MAX_LOSSES) {
        let place = &loss.primary;
        let text = format!(
            "{}:{} {}",
            page.paths.show(&place.path),
            place.start.line,
            loss.finding.message
        );
        wrap(out, "    ", "      ", &snippet::clean(&text), page.look.width);
    }
    if let Some(more) = unread.len().checked_sub(MAX_LOSSES).filter(|more| *more > 0) {
        let _ = writeln!(out, "    and {more} more (-v lists them)");
    }
}

/// Says how the placements stand.
fn placements(page: &Page<'_>) -> String {
    let verdict = &page.report.verdict;
    let (all, external) = (verdict.basis.placements, verdict.basis.external);
    let compared = verdict.available.iter().filter(|standing| standing.words == COMPARED).count();
    let there = verdict.available.len() - compared;
    if all == 0 {
        return "none in this bundle".to_owned();
    }
    if there == all {
        let whose = if all == 1 { "its" } else { "their" };
        return format!("available on all {whose} clusters");
    }
    let is_placement = |standing: &&Standing| standing.object.kind.ends_with("Placement");
    let unknown = verdict.planned.iter().filter(is_placement);
    let unknown = unknown.filter(|standing| standing.state == StandingState::Unknown).count();
    let others = all.saturating_sub(there + compared + external + unknown);
    let told = [
        (there, "available"),
        (compared, "compared with the hub as asked, nothing applied"),
        (external, "rolled out by runs"),
        (others, "not available yet"),
        (unknown, "not told how far"),
    ];
    let told = told.iter().filter(|(some, _)| *some > 0);
    told.map(|(some, words)| share(*some, all, words)).collect::<Vec<_>>().join(", ")
}

/// Says what holds for some of all; the number of all stands before it already.
fn share(some: usize, all: usize, words: &str) -> String {
    if some == all { words.to_owned() } else { format!("{some} {words}") }
}
