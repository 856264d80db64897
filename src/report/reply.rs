//! The reply to the customer: what we found, what to do, what happens then.
//!
//! Plain words, no paths and no codes but in the last line, nothing that cannot be undone: such a step is announced, not
//! given.

use std::fmt::Write as _;

use super::markdown::{code, fence, prose};
use super::snippet::{masked, masked_lines};
use super::ticket::{looked_at, sentence, then};
use crate::engine::{Report, Resolved};
use crate::finding::{Finding, Risk, Step};

/// How many causes a reply tells.
const CAUSES: usize = 3;

/// Renders a report as a reply in Markdown.
pub fn render(report: &Report) -> String {
    let causes: Vec<&Resolved> = report
        .verdict
        .causes
        .iter()
        .take(CAUSES)
        .filter_map(|cause| report.findings.get(cause.finding))
        .collect();
    let mut out = String::new();
    if causes.is_empty() {
        healthy(&mut out, report);
    } else {
        found(&mut out, report, &causes);
        to_do(&mut out, &causes);
        afterwards(&mut out, &causes);
    }
    let mut data: Vec<String> = causes.iter().map(|it| it.finding.code.to_owned()).collect();
    data.dedup();
    let moment = report.clock.now.map(|now| now.strftime("bundle of %F %T UTC").to_string());
    data.extend(moment);
    if !data.is_empty() {
        let _ = writeln!(out, "_Case data: {}._", data.join(", "));
    }
    out
}

fn healthy(out: &mut String, report: &Report) {
    let basis = looked_at(&report.verdict.basis).replace("Looked", "We looked");
    let _ = writeln!(out, "**What we found.** Nothing is wrong in the data you sent. {basis}\n");
    for standing in report.verdict.planned.iter().take(4) {
        let why = standing.reasons.first().map(|reason| prose(&masked(&reason.text)));
        let _ = writeln!(out, "- {}: {}", code(&masked(&standing.name)), why.unwrap_or_default());
    }
    if !report.verdict.planned.is_empty() {
        out.push('\n');
    }
    out.push_str("**What to do.** If something still looks wrong to you, please tell us which run or placement you mean.\n\n");
}

fn found(out: &mut String, report: &Report, causes: &[&Resolved]) {
    match causes {
        [one] => {
            let _ = writeln!(out, "**What we found.** {}\n", explained(&one.finding));
        }
        many => {
            let more = report.verdict.causes.len() - many.len();
            let rest = if more == 0 { String::new() } else { format!(" (and {more} more)") };
            let _ = writeln!(out, "**What we found.** There are {} causes{rest}.\n", many.len());
            for cause in many {
                let _ = writeln!(out, "- {}", explained(&cause.finding));
            }
            out.push('\n');
        }
    }
}

fn explained(finding: &Finding) -> String {
    let (message, why) = (sentence(&masked(&finding.message)), sentence(&masked(&finding.why)));
    prose(format!("{message} {why}").trim())
}

fn to_do(out: &mut String, causes: &[&Resolved]) {
    let steps: Vec<String> =
        causes.iter().flat_map(|cause| cause.finding.steps.iter().filter_map(step)).collect();
    match steps.as_slice() {
        [] => out.push_str("**What to do.** We will tell you the next step.\n\n"),
        [one] => {
            let _ = writeln!(out, "**What to do.** {one}\n");
        }
        many => {
            out.push_str("**What to do.**\n\n");
            for (index, step) in many.iter().enumerate() {
                let step = step.replace('\n', "\n   ");
                let _ = writeln!(out, "{}. {}", index + 1, step.replace("\n   \n", "\n\n"));
            }
            out.push('\n');
        }
    }
}

/// Says one step; looking is our work, unless nothing else is known.
fn step(step: &Step) -> Option<String> {
    match step {
        Step::Run(command) => {
            let effect = masked(command.effect());
            if command.risk() == Risk::Destructive {
                return Some(format!(
                    "One step cannot be undone{}. Please ask us before you take it; we will send you the command.",
                    if effect.is_empty() {
                        String::new()
                    } else {
                        format!(" ({})", prose(&effect))
                    }
                ));
            }
            let place = match command.place() {
                crate::finding::RunsOn::Hub => "on the hub".to_owned(),
                crate::finding::RunsOn::Member(name) => format!("on {}", code(&masked(name))),
                crate::finding::RunsOn::UnknownMember => "on the member cluster".to_owned(),
            };
            let why = if effect.is_empty() {
                String::new()
            } else {
                format!(" It {}.", prose(effect.trim_end_matches('.')))
            };
            Some(format!(
                "Please run this {place}.{why}\n\n{}",
                fence("sh", &masked(&command.posix()))
            ))
        }
        Step::Decide { question, choices } => {
            let mut text = prose(&masked(question));
            for choice in choices.iter().filter(|choice| !choice.effect().is_empty()) {
                let _ = write!(text, "\n- {}", prose(&masked(choice.effect())));
            }
            Some(format!("{text}\nWe can send you the command for either choice."))
        }
        Step::Create(object) => Some(format!(
            "Create this object on the hub. {}\n\n{}",
            prose(&masked(&object.effect)),
            fence("yaml", &masked_lines(&object.manifest))
        )),
    }
}

fn afterwards(out: &mut String, causes: &[&Resolved]) {
    let mut sentences: Vec<String> = Vec::new();
    for cause in causes {
        let next = sentence(&then(cause));
        if !next.is_empty() && !sentences.contains(&next) {
            sentences.push(next);
        }
    }
    if !sentences.is_empty() {
        let _ = writeln!(out, "**What happens then.** {}\n", prose(&sentences.join(" ")));
    }
}
