//! What the formats for tickets share: the headline, the marks of states, steps in words, what is missing.
//!
//! Owns the choice of what is said first; how it looks is left to `markdown`, `reply` and `html`.

use super::prose::count;
use super::snippet::masked;
use crate::engine::verdict::{Basis, Standing, State};
use crate::engine::{Place, Report, Resolved};
use crate::finding::{Command, Recoverability, Risk, RunsOn};

/// Returns the sentence that stands above everything.
pub(super) fn headline(report: &Report) -> String {
    let verdict = &report.verdict;
    match (verdict.unwell.as_slice(), verdict.causes.as_slice()) {
        ([], []) if verdict.planned.is_empty() => "Nothing is wrong in this bundle".to_owned(),
        ([], []) => "Nothing is wrong: what waits, waits as planned".to_owned(),
        ([], [_]) => first_cause(report),
        ([], causes) => format!("{} causes", causes.len()),
        ([one], _) => format!("{} {}", masked(&one.name), state_words(one)),
        (many, causes) => {
            let noun = if causes.len() == 1 { "one cause" } else { "several causes" };
            format!("{} runs and placements are not well, for {noun}", many.len())
        }
    }
}

fn first_cause(report: &Report) -> String {
    let first = report.verdict.causes.first().and_then(|cause| report.findings.get(cause.finding));
    let message = first.map(|it| masked(&it.finding.message)).unwrap_or_default();
    message.trim_end_matches('.').to_owned()
}

/// Returns a state as it reads behind a name.
fn state_words(standing: &Standing) -> String {
    let verb = match standing.state {
        State::Failed => "failed",
        State::Stuck => "is stuck",
        State::Blocked => "is blocked",
        State::Deleting => "is stuck in deletion",
        State::Waiting => "waits",
        State::Stopped => "is stopped",
        State::Stopping => "is stopping",
        State::NotInitialized => "is not initialized",
        State::NotStarted => "is not started",
        State::InProgress => "is in progress",
        State::Unknown => "is in an unknown state",
        State::Available => "is available",
        State::Succeeded => "succeeded",
    };
    masked(format!("{verb} {}", standing.words).trim())
}

/// Returns the mark and the word of a state.
pub(super) fn mark(standing: &Standing) -> String {
    format!("{} {}", symbol(standing), standing.state.word())
}

/// Returns the mark of a state, which never says more than its word.
pub(super) fn symbol(standing: &Standing) -> char {
    match standing.state {
        State::Failed | State::Stuck | State::Blocked | State::Deleting => '✗',
        State::Waiting | State::Stopped | State::Stopping => '‖',
        State::NotInitialized | State::NotStarted | State::Unknown => '?',
        State::InProgress => '▸',
        State::Available | State::Succeeded => '✓',
    }
}

/// Returns what happens next.
pub(super) fn then(resolved: &Resolved) -> String {
    let finding = &resolved.finding;
    if finding.then.is_empty() {
        let sentence = finding.recoverability.map(Recoverability::sentence);
        return sentence.unwrap_or_default().to_owned();
    }
    masked(&finding.then)
}

/// Returns the comment above a command: where it runs, what it risks, what it does.
pub(super) fn comment(command: &Command) -> String {
    let place = match command.place() {
        RunsOn::Hub => "on the hub".to_owned(),
        RunsOn::Member(cluster) => format!("on {}", masked(cluster)),
        RunsOn::UnknownMember => "on the member cluster".to_owned(),
    };
    let risk = match command.risk() {
        Risk::ReadOnly => ", read-only",
        Risk::Reversible => ", reversible",
        Risk::Destructive => ", irreversible",
    };
    match command.effect() {
        "" => format!("{place}{risk}"),
        effect => format!("{place}{risk}: {}", masked(effect)),
    }
}

/// Returns the places of a finding, the primary one first.
pub(super) fn places(resolved: &Resolved) -> impl Iterator<Item = &Place> {
    std::iter::once(&resolved.primary).chain(&resolved.related)
}

/// Returns how sure a finding is, in the words of reports for people.
pub(super) fn certainty(resolved: &Resolved) -> &'static str {
    match resolved.finding.certainty.word() {
        "shown" => "proven",
        word => word,
    }
}

/// Says what a verdict rests on.
pub(super) fn looked_at(basis: &Basis) -> String {
    format!(
        "Looked at {}, {}, {} and {}.",
        count(basis.runs, "run"),
        count(basis.placements, "placement"),
        count(basis.members, "member cluster"),
        count(basis.logs, "log")
    )
}

/// Returns the moment of capture and how it was found.
pub(super) fn clock(report: &Report) -> String {
    use crate::graph::ClockSource;
    let Some(now) = report.clock.now else { return "no timestamp in the bundle".to_owned() };
    let how = match report.clock.source {
        ClockSource::Unknown => "unknown",
        ClockSource::Given => "given by --now",
        ClockSource::NewestStamp(_) => "newest timestamp",
        ClockSource::NewestLogLine(_) | ClockSource::LogEnd(_) => "last log line",
        ClockSource::AgeColumn(_) => "AGE column",
    };
    format!("{} ({how})", now.strftime("%F %TZ"))
}

/// Ends some words with a full stop; their first letter stays, since it may be that of a name.
pub(super) fn sentence(text: &str) -> String {
    let text = text.trim();
    let end = if text.is_empty() || text.ends_with(['.', '?', '!', ':']) { "" } else { "." };
    format!("{text}{end}")
}

/// Returns a quoted text on one line: what was folded over lines is one blank apart.
pub(super) fn quoted(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let joined = words.join(" ");
    match joined.char_indices().nth(160) {
        Some((at, _)) => format!("{}…", joined.get(..at).unwrap_or_default()),
        None => joined,
    }
}
