//! `fleetlens explain` and `fleetlens rules`: the pages of the rules, of reasons, conditions and messages.

mod message;

use std::fmt::Write as _;

use clap::Args;

use super::{Ending, output};
use crate::error::Error;
use crate::rule::Rule;
use crate::rules;

/// Arguments of `explain`.
#[derive(Debug, Args)]
pub(super) struct ExplainArgs {
    /// A rule's code or name, a reason, a condition type, or the text of a message.
    #[arg(value_name = "CODE|REASON|TEXT", required = true)]
    about: Vec<String>,
}

/// Prints the page of one rule, or what the catalogue knows of a reason, a condition or a message.
pub(super) fn run(args: &ExplainArgs) -> Result<Ending, Error> {
    let about = args.about.join(" ");
    let page = rules::find_rule(&about).map(page).or_else(|| message::page(&about));
    let page = page.ok_or_else(|| {
        let near = suggestion(&about);
        Error::Usage(format!("there is no rule, reason, condition type or message {about:?}{near}"))
    })?;
    output::print(&page)?;
    Ok(Ending::Clean)
}

/// Prints all rules, a line each.
pub(super) fn list() -> Result<Ending, Error> {
    let mut text = String::new();
    for rule in rules::ALL {
        let _ = writeln!(
            text,
            "{}  {:7}  {:26}  {}",
            rule.code,
            rule.severity.word(),
            rule.name,
            rule.summary()
        );
    }
    output::print(&text)?;
    Ok(Ending::Clean)
}

fn page(rule: &Rule) -> String {
    let reads: Vec<&str> = rule.reads.iter().map(|kind| kind.name()).collect();
    let mut text = format!("{} {} ({})\n\n", rule.code, rule.name, rule.severity.word());
    for line in rule.page.lines() {
        let _ = writeln!(text, "{}", line.strip_prefix(' ').unwrap_or(line));
    }
    if !reads.is_empty() {
        let _ = writeln!(text, "\nReads: {}", reads.join(", "));
    }
    text
}

/// Returns the rule whose name is nearest, as a question.
fn suggestion(text: &str) -> String {
    let word = text.to_lowercase();
    let near = rules::ALL.iter().find(|rule| rule.name.contains(&word) || word.contains(rule.name));
    near.map(|rule| format!("; did you mean {} {}?", rule.code, rule.name)).unwrap_or_default()
}
