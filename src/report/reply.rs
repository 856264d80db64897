//! The reply to the customer: what we found, what to do, what happens then, in 8 to 15 lines.
//!
//! Plain words, no paths and no codes but in the last line, nothing about the objects of other teams, nothing that
//! cannot be undone: such a step is announced, not given. A reply that gets too long is told again with less detail.

mod steps;

use std::sync::LazyLock;

use regex::Regex;

use super::markdown::{code, prose};
use super::snippet::masked;
use super::ticket::{affected, judged, sentence, state_words};
use crate::engine::verdict::{Cause, Health};
use crate::engine::{Report, ResolvedFinding, Subject};

/// How many lines a reply has at least and at most.
const LINES: std::ops::RangeInclusive<usize> = 8..=15;
/// How many inputs a reply names, by how much of their digests.
const INPUTS: usize = 2;
const SHORT: usize = 12;
/// How many causes a reply tells.
const CAUSES: usize = 3;

/// How every reply that could be doubted ends.
const QUESTION: &str =
    "If something looks wrong to you, please tell us which run or placement you mean.";

/// So many clusters or objects of which the same is true are named.
const ALIKE: usize = 10;

/// How much a reply tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Detail {
    /// The mechanism in a paragraph of its own, a single command in a block, each choice in a line.
    Full,
    /// Commands within their sentences.
    Inline,
    /// The mechanism behind what was found, choices in one line.
    Short,
}

/// Renders a report as a reply in Markdown.
pub fn render(report: &Report) -> String {
    let all = report.verdict.causes.iter().filter_map(|cause| report.findings.get(cause.finding));
    let ours: Vec<&ResolvedFinding> = all.filter(|resolved| !resolved.elsewhere).collect();
    let told: Vec<&ResolvedFinding> = ours.iter().copied().take(CAUSES).collect();
    let letters = [Detail::Full, Detail::Inline, Detail::Short].map(|detail| {
        let mut blocks = match told.as_slice() {
            [] if unwell(report).is_empty() => healthy(report),
            [] => unexplained(report),
            causes => explained(report, causes, ours.len() - told.len(), detail),
        };
        lengthen(&mut blocks, report);
        blocks.push(vec![case_data(report, &told)]);
        blocks
    });
    let fits = |blocks: &&Vec<Vec<String>>| lines(blocks) <= *LINES.end();
    let letter = letters.iter().find(fits).or(letters.last());
    let blocks = letter.into_iter().flatten().map(|block| block.join("\n"));
    blocks.collect::<Vec<_>>().join("\n\n") + "\n"
}

fn lines(blocks: &[Vec<String>]) -> usize {
    blocks.iter().map(Vec::len).sum::<usize>() + blocks.len().saturating_sub(1)
}

/// Adds what is worth knowing, too, to a reply that would be too short to be understood.
fn lengthen(blocks: &mut Vec<Vec<String>>, report: &Report) {
    let standing: Vec<String> = unwell(report).iter().take(2).map(|it| format!("- {it}")).collect();
    let well = report.health() != Health::Ill;
    let checked = match well {
        true => Vec::new(),
        false => vec![format!("For this answer we checked {}.", judged(&report.verdict.basis))],
    };
    let question = if well { Vec::new() } else { vec![QUESTION.to_owned()] };
    // The last block of the letter is yet to come, with a blank line before it.
    for more in [standing, checked, question] {
        if lines(blocks) + 2 < *LINES.start() && !more.is_empty() {
            blocks.push(more);
        }
    }
}

/// Returns how the runs and placements of the ticket stand that are not well, as sentences.
fn unwell(report: &Report) -> Vec<String> {
    let ours = report.verdict.unwell.iter().filter(|standing| {
        let reasons = standing.reasons.iter().filter_map(|it| report.findings.get(it.finding));
        let mut known = reasons.map(|resolved| resolved.elsewhere).peekable();
        known.peek().is_none() || known.any(|elsewhere| !elsewhere)
    });
    let words = ours.map(|standing| {
        let state = plain(&state_words(standing));
        format!("{} {}", code(&masked(&standing.name)), prose(&sentence(&state)))
    });
    words.collect()
}

fn healthy(report: &Report) -> Vec<Vec<String>> {
    let verdict = &report.verdict;
    let mut facts = vec![format!("- We checked {}.", judged(&verdict.basis))];
    // A reply is about the customer's own rollout; where the bundle shows a whole hub, nothing tells which that is.
    let planned = verdict.planned.iter().filter(|_| report.rest_of_hub.runs.is_empty());
    for standing in planned.take(3) {
        let why = standing.reasons.first().map(|reason| masked(&reason.text));
        let words =
            why.unwrap_or_else(|| format!("{} {}", masked(&standing.name), state_words(standing)));
        facts.push(format!("- {}", prose(&sentence(&plain(&words)))));
    }
    if verdict.basis.logs == 0 {
        facts.push("- The data holds no logs of the agents, so those were not checked.".to_owned());
    }
    if verdict.basis.runs == 0 && verdict.basis.placements == 0 {
        facts.push("- The data holds no run and no placement.".to_owned());
    }
    // What is as planned may still wait for a person.
    let waiting = verdict.planned.iter().filter_map(|it| it.reasons.first());
    let waiting = waiting.filter_map(|reason| report.findings.get(reason.finding));
    let next: Vec<&ResolvedFinding> = waiting.filter(|it| !it.elsewhere).take(CAUSES).collect();
    let next = next_steps(&next);
    let found = match report.health() {
        Health::Nothing => "The data that you sent holds nothing of KubeFleet that we can judge.",
        Health::Unread => {
            "We saw nothing wrong in what could be read. Some of the data was cut or damaged."
        }
        Health::Unsettled => "The data that you sent does not settle whether anything is wrong.",
        Health::Untold => {
            "The data that you sent shows nothing wrong. It does not tell how far everything is."
        }
        Health::Rows => {
            "The tables that you sent show nothing wrong. Tables do not show everything."
        }
        Health::Well | Health::Ill => "Nothing is wrong in the data that you sent.",
    };
    let to_do = match report.health() {
        Health::Unread => "Please send the data again, whole.".to_owned(),
        Health::Unsettled | Health::Untold | Health::Rows if !report.asks.is_empty() => {
            return vec![
                vec![format!("**What we found.** {found}")],
                facts,
                steps::asked_for(report),
            ];
        }
        Health::Unsettled | Health::Untold | Health::Rows | Health::Nothing => {
            "Please send the run or the placement that you mean, as YAML.".to_owned()
        }
        Health::Well | Health::Ill => {
            format!("Nothing has to be repaired. {next}").trim_end().to_owned()
        }
    };
    vec![
        vec![format!("**What we found.** {found}")],
        facts,
        vec![format!("**What to do.** {to_do} {QUESTION}")],
    ]
}

/// Answers where something is not well and the data does not tell why.
fn unexplained(report: &Report) -> Vec<Vec<String>> {
    let standing = unwell(report).into_iter().take(CAUSES).map(|words| format!("- {words}"));
    vec![
        vec![
            "**What we found.** Something is not well, and the data that you sent does not show why."
                .to_owned(),
        ],
        standing.collect(),
        steps::asked_for(report),
    ]
}

fn explained(
    report: &Report,
    causes: &[&ResolvedFinding],
    more: usize,
    detail: Detail,
) -> Vec<Vec<String>> {
    let mut blocks = Vec::new();
    let folded = |resolved: &ResolvedFinding| {
        let mut causes = report.verdict.causes.iter();
        let is_it = |cause: &&Cause| {
            report.findings.get(cause.finding).is_some_and(|it| it.id == resolved.id)
        };
        causes.find(is_it).and_then(|cause| affected(cause, ALIKE))
    };
    let message = |cause: &ResolvedFinding| {
        let text = prose(&plain(&sentence(&masked(&cause.finding.message))));
        let same = folded(cause).map(|same| format!(" {}", prose(&plain(&masked(&same)))));
        text + &same.unwrap_or_default()
    };
    let why = |cause: &ResolvedFinding| prose(&plain(&sentence(&masked(&cause.finding.why))));
    match causes {
        [one] if detail == Detail::Short => {
            let text = format!("**What we found.** {} {}", message(one), why(one));
            blocks.push(vec![text.trim_end().to_owned()]);
        }
        [one] => {
            blocks.push(vec![format!("**What we found.** {}", message(one))]);
            blocks.push(vec![why(one)]);
        }
        many => {
            let rest = if more == 0 { String::new() } else { format!(", and {more} more") };
            let noun = match report.subject {
                Subject::Bundle => "causes",
                Subject::Manifests => "faults in the manifests",
            };
            blocks.push(vec![format!("**What we found.** There are {} {noun}{rest}.", many.len())]);
            let told = many.iter().map(|cause| match detail {
                Detail::Full => format!("- {} {}", message(cause), why(cause)),
                _ => format!("- {}", message(cause)),
            });
            blocks.push(told.map(|line| line.trim_end().to_owned()).collect());
        }
    }
    blocks.retain(|block| block.iter().any(|line| !line.is_empty()));
    blocks.extend(steps::to_do(report, causes, detail));
    blocks.extend(afterwards(causes));
    blocks
}

fn afterwards(causes: &[&ResolvedFinding]) -> Option<Vec<String>> {
    let text = next_steps(causes);
    (!text.is_empty()).then(|| vec![format!("**What happens then.** {text}")])
}

/// Says what happens next about some findings, no sentence twice.
fn next_steps(findings: &[&ResolvedFinding]) -> String {
    let mut sentences: Vec<String> = Vec::new();
    for resolved in findings {
        let next = sentence(&plain(&masked(resolved.finding.what_then())));
        for one in next.split_inclusive(". ").map(str::trim_end).filter(|one| !one.is_empty()) {
            if sentences.iter().all(|known| known != one) {
                sentences.push(one.to_owned());
            }
        }
    }
    prose(&sentences.join(" "))
}

fn case_data(report: &Report, causes: &[&ResolvedFinding]) -> String {
    let mut data: Vec<String> = Vec::new();
    for cause in causes {
        let code = cause.finding.code.to_owned();
        if !data.contains(&code) {
            data.push(code);
        }
    }
    let moment = report.clock.now.map(|now| now.strftime("bundle of %F %T UTC").to_string());
    data.push(match (report.subject, moment) {
        (_, Some(moment)) => moment,
        (Subject::Bundle, None) => "the bundle holds no timestamp".to_owned(),
        (Subject::Manifests, None) => "manifests as you sent them".to_owned(),
    });
    // Enough of each digest to know the data again; the ticket has them whole.
    let inputs = report.provenance.iter().flat_map(|made| &made.inputs).take(INPUTS);
    data.extend(
        inputs.map(|input| format!("sha256 {}", input.sha256.get(..SHORT).unwrap_or_default())),
    );
    data.push(format!("fleetlens {}", env!("CARGO_PKG_VERSION")));
    format!("_Case data: {}._", data.join(", "))
}

/// Writes times as people do: `12:50:19 UTC`.
fn plain(text: &str) -> String {
    static TIMES: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\b(\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)Z\b").expect("the pattern is fixed")
    });
    TIMES.replace_all(text, "$1 UTC").into_owned()
}
