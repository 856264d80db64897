//! What the formats for tickets share: the headline, the marks of states, steps in words, what is missing.
//!
//! Owns the choice of what is said first; how it looks is left to `markdown`, `reply` and `html`.

use jiff::Timestamp;

use super::prose::count;
use super::snippet::masked;
use crate::engine::verdict::{Basis, Cause, Health, Standing, StandingState};
use crate::engine::{Place, Report, ResolvedFinding, Subject};
use crate::finding::Severity;

/// Says of what else a cause is true, in one sentence; nothing if it stands alone.
pub(super) fn affected(cause: &Cause, most: usize) -> Option<String> {
    let names: Vec<&str> = cause.alike.iter().map(|alike| &*alike.name).collect();
    also_of(&names, most)
}

/// Says of what else something is true, in one sentence.
pub(super) fn also_of(names: &[&str], most: usize) -> Option<String> {
    let shown = names.get(..most.min(names.len()))?;
    let more = names.len() - shown.len();
    let words = match (shown, more) {
        ([], _) => return None,
        ([one], 0) => (*one).to_owned(),
        ([first @ .., last], 0) => format!("{} and {last}", first.join(", ")),
        (some, more) => format!("{} and {more} more", some.join(", ")),
    };
    Some(format!("The same is true of {words}."))
}

/// Returns the sentence that stands above everything.
pub(super) fn headline(report: &Report) -> String {
    let verdict = &report.verdict;
    if report.subject == Subject::Manifests {
        return of_manifests(report);
    }
    match (verdict.unwell.as_slice(), verdict.causes.as_slice()) {
        ([], []) if report.health() == Health::Nothing => {
            "Nothing to judge in this bundle".to_owned()
        }
        ([], []) if report.health() == Health::Unread => {
            "Nothing wrong was seen in what could be read of this bundle".to_owned()
        }
        ([], []) if report.health() == Health::Unsettled => {
            "Nothing is proven wrong in this bundle, and not everything is settled".to_owned()
        }
        ([], []) if report.health() == Health::Untold => {
            "Nothing wrong is shown, but the bundle does not tell how far everything is".to_owned()
        }
        ([], []) if report.health() == Health::Rows => {
            "Nothing wrong is shown in these tables".to_owned()
        }
        ([], []) if verdict.planned.is_empty() => "Nothing is wrong in this bundle".to_owned(),
        ([], []) => "Nothing is wrong: what waits, waits as planned".to_owned(),
        ([], [_]) => first_cause(report),
        // A state that sounds well, or says nothing of its own, is no headline.
        ([one], [_, ..]) if !is_trouble(one) => first_cause(report),
        ([], causes) => format!("{} causes. The first: {}", causes.len(), first_cause(report)),
        ([one], _) => format!("{} {}", masked(&one.name), state_words(one)),
        (many, causes) => {
            let runs = many.iter().filter(|it| it.object.kind.ends_with("StagedUpdateRun")).count();
            let parts = [(runs, "run"), (many.len() - runs, "placement")];
            let parts = parts.iter().filter(|(number, _)| *number > 0);
            let parts: Vec<String> = parts.map(|(number, noun)| count(*number, noun)).collect();
            format!("{} need someone, for {}", parts.join(" and "), count(causes.len(), "cause"))
        }
    }
}

/// Says whether a state tells that something is wrong.
fn is_trouble(standing: &Standing) -> bool {
    let sounds_well = matches!(
        standing.state,
        StandingState::Available | StandingState::Succeeded | StandingState::InProgress
    );
    !sounds_well
        && standing.state != StandingState::Unknown
        && !standing.words.starts_with("rolled out by")
}

fn of_manifests(report: &Report) -> String {
    let number =
        |severity| report.findings.iter().filter(|it| it.finding.severity == severity).count();
    let parts = [(number(Severity::Error), "error"), (number(Severity::Warning), "warning")];
    let parts = parts.iter().filter(|(number, _)| *number > 0);
    let parts: Vec<String> = parts.map(|(number, noun)| count(*number, noun)).collect();
    match parts.is_empty() {
        true => "Nothing is wrong with these manifests".to_owned(),
        false => format!("{} in these manifests", parts.join(" and ")),
    }
}

fn first_cause(report: &Report) -> String {
    let first = report.verdict.causes.first().and_then(|cause| report.findings.get(cause.finding));
    let message = first.map(|it| masked(&it.finding.message)).unwrap_or_default();
    message.trim_end_matches('.').to_owned()
}

/// Returns a state as it reads behind a name.
pub(super) fn state_words(standing: &Standing) -> String {
    let (now, since) = match standing.state {
        StandingState::Failed => ("failed", "failed"),
        StandingState::Stuck => ("is stuck", "has been stuck"),
        StandingState::Blocked => ("is blocked", "has been blocked"),
        StandingState::Deleting => ("is stuck in deletion", "has been stuck in deletion"),
        StandingState::Waiting => ("waits", "has waited"),
        StandingState::Stopped => ("is stopped", "has been stopped"),
        StandingState::Stopping => ("is stopping", "has been stopping"),
        StandingState::NotInitialized => ("is not initialized", "has not been initialized"),
        StandingState::NotStarted => ("is not started", "has not been started"),
        StandingState::InProgress => ("is in progress", "has been in progress"),
        StandingState::Unknown => ("is in an unknown state", "has been in an unknown state"),
        StandingState::Available => ("is available", "has been available"),
        StandingState::Succeeded => ("succeeded", "succeeded"),
    };
    let words = &standing.words;
    let first = words.split(' ').next().unwrap_or_default();
    let told = match first {
        "" => now.to_owned(),
        "in" | "at" | "before" | "after" | "since" | "by" | "for" | "on" | "with" => {
            let open = format!(" {words}").contains(" since ");
            format!("{} {words}", if open { since } else { now })
        }
        // What is no adverb is a sentence of its own: "is blocked: rollout not started on member3".
        _ if first.starts_with(|c: char| c.is_ascii_digit()) => format!("{now}, {words}"),
        _ => format!("{now}: {words}"),
    };
    masked(&told)
}

/// Returns the mark and the word of a state.
pub(super) fn mark(standing: &Standing) -> String {
    format!("{} {}", symbol_of(standing.state), standing.state.word())
}

/// Returns the mark of a state, which never says more than its word.
pub(super) fn symbol_of(state: StandingState) -> char {
    match state {
        StandingState::Failed
        | StandingState::Stuck
        | StandingState::Blocked
        | StandingState::Deleting => '✗',
        StandingState::Waiting | StandingState::Stopped | StandingState::Stopping => '‖',
        StandingState::NotInitialized | StandingState::NotStarted | StandingState::Unknown => '?',
        StandingState::InProgress => '▸',
        StandingState::Available | StandingState::Succeeded => '✓',
    }
}

/// Returns the places of a finding, the primary one first.
pub(super) fn places(resolved: &ResolvedFinding) -> impl Iterator<Item = &Place> {
    std::iter::once(&resolved.primary).chain(&resolved.related)
}

/// Returns how sure a finding is, in the words of reports for people.
pub(super) fn certainty(resolved: &ResolvedFinding) -> &'static str {
    match resolved.finding.certainty.word() {
        "shown" => "proven",
        word => word,
    }
}

/// Says what a verdict rests on.
pub(super) fn looked_at(report: &Report) -> String {
    match report.subject {
        Subject::Manifests => format!("Judged {}.", count(report.coverage.files, "file")),
        Subject::Bundle => format!("Looked at {}.", judged(&report.verdict.basis)),
    }
}

/// Names what was judged, and nothing of which there was none.
pub(super) fn judged(basis: &Basis) -> String {
    let others = if basis.others == basis.size() { "object" } else { "other object" };
    let parts = [
        (basis.runs, "run"),
        (basis.placements, "placement"),
        (basis.members, "member cluster"),
        (basis.works, "Work"),
        (basis.others, others),
        (basis.logs, "log"),
    ];
    let told = parts.iter().filter(|(number, _)| *number > 0);
    let told: Vec<String> = told.map(|(number, noun)| count(*number, noun)).collect();
    match told.split_last() {
        None => "what was sent".to_owned(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
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

/// Returns a time of day, with what it has below a second.
pub(super) fn moment(time: Timestamp) -> String {
    let format = if time.subsec_nanosecond() == 0 { "%T" } else { "%H:%M:%S.%3f" };
    time.strftime(format).to_string()
}

/// Names the catalogue of messages by which the input was read.
pub(super) fn catalogue() -> String {
    format!("catalogue {}", crate::grammar::digest())
}

/// Words that may begin a sentence and are nobody's name.
const OPENERS: [&str; 16] = [
    "the", "a", "an", "no", "this", "these", "two", "every", "each", "they", "there", "its", "it",
    "some", "both", "did",
];

/// Makes a sentence of some words: a full stop, and a capital where the first word is surely not a name.
pub(super) fn sentence(text: &str) -> String {
    let text = text.trim();
    let end = if text.is_empty() || text.ends_with(['.', '?', '!', ':']) { "" } else { "." };
    match text.split_once(' ').filter(|(first, _)| OPENERS.contains(first)) {
        Some((first, rest)) => {
            let (letter, tail) = first.split_at(1);
            format!("{}{tail} {rest}{end}", letter.to_uppercase())
        }
        None => format!("{text}{end}"),
    }
}

/// Returns what was sent and could not be read, as sentences.
pub(super) fn unread(report: &Report) -> Vec<String> {
    let lost = report.verdict.unread.iter().filter_map(|index| report.findings.get(*index));
    let mut told: Vec<String> = lost.map(|it| sentence(&masked(&it.finding.message))).collect();
    told.dedup();
    told
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
