//! What the customer is asked to do: a few steps, none of which cannot be undone.

use super::{Detail, plain};
use crate::engine::{Report, ResolvedFinding, Subject};
use crate::finding::{Command, Risk, RunsOn, Step};
use crate::report::markdown::{code, fence, prose};
use crate::report::snippet::masked;
use crate::report::ticket::sentence;

/// How many steps a reply asks for.
const STEPS: usize = 4;
/// How many commands a reply asks the output of.
const ASKS: usize = 3;

/// Says what to do about some causes, in blocks of lines.
pub(super) fn to_do(
    report: &Report,
    causes: &[&ResolvedFinding],
    detail: Detail,
) -> Vec<Vec<String>> {
    let all: Vec<&Step> = causes.iter().flat_map(|cause| &cause.finding.steps).collect();
    if let ([Step::Run(command)], Detail::Full) = (all.as_slice(), detail)
        && command.risk() != Risk::Destructive
    {
        let block = fence("sh", &masked(&command.posix())).lines().map(str::to_owned).collect();
        let text = format!("**What to do.** Please run this {}.", place(command));
        return vec![vec![format!("{text}{}", effect(command))], block];
    }
    let mut told: Vec<Vec<String>> = Vec::new();
    for step in all {
        let step = write_step(step, detail);
        if !told.contains(&step) {
            told.push(step);
        }
    }
    if told.len() > STEPS {
        told.truncate(STEPS - 1);
        told.push(vec!["We will send you the other steps after these.".to_owned()]);
    }
    match told.as_slice() {
        [] if report.subject == Subject::Manifests => {
            let hints = causes.iter().map(|cause| sentence(&masked(&cause.finding.hint)));
            let hints: Vec<String> = hints.filter(|hint| !hint.is_empty()).collect();
            let hints =
                if hints.is_empty() { String::new() } else { format!(" {}", hints.join(" ")) };
            let text = format!(
                "**What to do.** Please correct the manifests, then apply them again.{}",
                prose(&hints)
            );
            vec![vec![text]]
        }
        [] if report.asks.is_empty() => {
            vec![vec![
                "**What to do.** Nothing for now. We will tell you the next step.".to_owned(),
            ]]
        }
        [] => vec![asked_for(report)],
        [one] => {
            let (first, rest) = one.split_first().map_or(("", &[][..]), |(it, rest)| (it, rest));
            let mut block = vec![format!("**What to do.** {first}")];
            if !rest.is_empty() {
                block.push(String::new());
                block.extend(rest.iter().cloned());
            }
            vec![block]
        }
        many => {
            let mut steps = Vec::new();
            for (index, lines) in many.iter().enumerate() {
                for (at, line) in lines.iter().enumerate() {
                    let lead = if at == 0 { format!("{}. ", index + 1) } else { "   ".to_owned() };
                    steps.push(format!("{lead}{line}"));
                }
            }
            vec![vec!["**What to do.**".to_owned()], steps]
        }
    }
}

/// Asks for the output of commands that would settle what the data leaves open.
pub(super) fn asked_for(report: &Report) -> Vec<String> {
    let commands = report.asks.iter().take(ASKS);
    let mut lines: Vec<String> = commands
        .map(|ask| format!("- {}: {}", place(&ask.command), code(&masked(&ask.command.posix()))))
        .collect();
    let text = match lines.is_empty() {
        true => "**What to do.** Nothing for now. We will tell you the next step.",
        false => "**What to do.** Please send us what these commands print. They change nothing.",
    };
    lines.insert(0, text.to_owned());
    lines
}

fn write_step(step: &Step, detail: Detail) -> Vec<String> {
    match step {
        Step::Run(command) if command.risk() == Risk::Destructive => {
            let effect = prose(&plain(&masked(command.effect())));
            let effect = if effect.is_empty() { effect } else { format!(" It {effect}.") };
            vec![format!(
                "One step {} cannot be undone.{effect} Please ask us first, and we will send you the command.",
                place(command)
            )]
        }
        Step::Run(command) => {
            let line = code(&masked(&command.posix()));
            vec![format!("Please run {line} {}.{}", place(command), effect(command))]
        }
        Step::Decide { question, choices } => {
            let question = prose(&sentence(&plain(&masked(question))));
            let told = choices.iter().map(|choice| prose(&plain(&masked(choice.effect()))));
            let told: Vec<String> = told.filter(|effect| !effect.is_empty()).collect();
            let offer = "We can send you the command for each choice.";
            match detail {
                _ if told.is_empty() => vec![format!("{question} {offer}")],
                Detail::Short => {
                    vec![format!("{question} Either: {}. {offer}", told.join("; or: "))]
                }
                _ => {
                    let choices = told.iter().map(|effect| format!("- {}", sentence(effect)));
                    std::iter::once(format!("{question} {offer}")).chain(choices).collect()
                }
            }
        }
        Step::Create(object) => {
            let effect = sentence(&plain(&masked(&object.effect)));
            let (instruction, rest) = effect.split_once(". ").unwrap_or((&effect, ""));
            let instruction = prose(instruction.trim_end_matches('.'));
            let rest = if rest.is_empty() { String::new() } else { format!(" {}", prose(rest)) };
            let name = object.file.strip_suffix(".yaml").unwrap_or(&object.file);
            let name = code(&masked(name));
            vec![format!("{instruction}, for example {name}.{rest} We can send you the manifest.")]
        }
    }
}

fn place(command: &Command) -> String {
    match command.place() {
        RunsOn::Hub => "on the hub".to_owned(),
        RunsOn::Member(name) => format!("on {}", code(&masked(name))),
        RunsOn::UnknownMember => "on the member cluster".to_owned(),
    }
}

/// Says what a command does, as a sentence behind another.
fn effect(command: &Command) -> String {
    let effect = plain(&masked(command.effect()));
    let effect = effect.trim_end_matches('.');
    match effect.strip_prefix("opens it to ") {
        _ if effect.is_empty() => String::new(),
        Some(purpose) => format!(" Use it to {}.", prose(purpose)),
        None => format!(" It {}.", prose(effect)),
    }
}
