//! `fleetlens explain` and `fleetlens rules`: the pages of the rules, of reasons, conditions, messages and fields.

use std::fmt::Write as _;

use clap::{Args, ValueEnum};
use serde_json::json;

use super::config::find_pages;
use super::output::{Output, StyleArgs};
use super::{Exit, output};
use crate::error::Error;
use crate::report::explain::{conditions, did_you_mean, find_sample, near_field, page};
use crate::report::human::{Look, bold};
use crate::rule::Rule;
use crate::rules;

/// Arguments of `explain`.
#[derive(Debug, Args)]
pub(super) struct ExplainArgs {
    /// A rule's code or name, a reason, a condition type, a field (csur.status.stagesStatus), or the text of a message.
    #[arg(value_name = "CODE|REASON|FIELD|TEXT", required = true)]
    about: Vec<String>,
    /// Print a small broken input instead, in which the rule finds something.
    #[arg(long, conflicts_with = "format")]
    sample: bool,
    /// Text for people, or JSON for programs.
    #[arg(short = 'o', long, value_enum, default_value = "human")]
    format: PageFormat,
    #[command(flatten)]
    style: StyleArgs,
}

/// The width of prose within JSON.
const PROSE: usize = 100;

/// Arguments of `rules`.
#[derive(Debug, Args)]
pub(super) struct RulesArgs {
    /// Only these rules: codes, beginnings of codes, or names.
    #[arg(value_name = "RULE")]
    only: Vec<String>,
    /// Text for people, or JSON for programs.
    #[arg(short = 'o', long, value_enum, default_value = "human")]
    format: PageFormat,
    #[command(flatten)]
    style: StyleArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PageFormat {
    Human,
    Json,
}

/// Prints the page of a rule, or what the catalogue knows of a reason, a condition, a message or a field.
pub(super) fn run(args: &ExplainArgs) -> Result<Exit, Error> {
    let about = args.about.join(" ");
    if args.sample {
        return print_sample(&about);
    }
    let look = match args.format {
        PageFormat::Human => args.style.look(Output::Standard),
        PageFormat::Json => Look::plain(PROSE),
    };
    let text = page(&about, look).ok_or_else(|| {
        let near = near_field(&about).unwrap_or_else(|| {
            did_you_mean(&about, rules::ALL.iter().flat_map(|rule| [rule.code, rule.name]))
        });
        Error::Usage(format!(
            "there is no rule, reason, condition type, field or message {about:?}{near}"
        ))
    })?;
    match args.format {
        PageFormat::Human => args.style.print(&text)?,
        PageFormat::Json => output::print(&crate::report::json_text(&page_json(&about, &text)?))?,
    }
    Ok(Exit::Clean)
}

/// Tells a page as data: a rule with its Markdown, conditions field by field, anything else as its text.
fn page_json(about: &str, text: &str) -> Result<serde_json::Value, Error> {
    let rule = rules::find_rule(about).map(|rule| {
        let mut value = rule_json(rule);
        value["page"] = rule.markdown().into();
        value["page_url"] = find_pages(None)?.of_rule(rule.code).into();
        Ok::<_, Error>(value)
    });
    Ok(json!({
        "about": about,
        "rule": rule.transpose()?,
        "conditions": conditions(about),
        "text": text,
    }))
}

/// Prints the sample of a rule, to be read by a pipe.
fn print_sample(about: &str) -> Result<Exit, Error> {
    super::check_names::check_rules(&[about.to_owned()])?;
    let rule = rules::find_rule(about).ok_or_else(|| {
        Error::Usage(format!("--sample takes one rule, and {about:?} names several"))
    })?;
    let sample = find_sample(rule).ok_or_else(|| {
        let (code, name) = (rule.code, rule.name);
        Error::Nothing(format!(
            "{code} {name} has no sample: it needs more than one text, such as an edit, an archive or the files around it"
        ))
    })?;
    output::print(&sample)?;
    Ok(Exit::Clean)
}

/// Prints the rules, a line each under the name of their family.
pub(super) fn list(args: &RulesArgs) -> Result<Exit, Error> {
    super::check_names::check_rules(&args.only)?;
    let chosen = rules::ALL.iter().filter(|rule| args.only.is_empty() || rule.is_named(&args.only));
    let mut chosen: Vec<&Rule> = chosen.copied().collect();
    chosen.sort_by_key(|rule| rule.code);
    if args.format == PageFormat::Json {
        let rules: Vec<_> = chosen.iter().map(|rule| rule_json(rule)).collect();
        output::print(&crate::report::json_text(&rules))?;
        return Ok(Exit::Clean);
    }
    let look = args.style.look(Output::Standard);
    let mut text = String::new();
    let mut title = "";
    for rule in chosen {
        let here = rule.family().map_or("", |family| family.title);
        if here != title {
            let blank = if title.is_empty() { "" } else { "\n" };
            let _ = writeln!(text, "{blank}{}", bold(look, here));
            title = here;
        }
        let (code, name, severity) = (rule.code, rule.name, rule.severity.word());
        let _ = writeln!(text, "{code}  {severity:7}  {name:28}  {}", rule.summary());
    }
    args.style.print(&text)?;
    Ok(Exit::Clean)
}

fn rule_json(rule: &Rule) -> serde_json::Value {
    json!({
        "code": rule.code,
        "name": rule.name,
        "severity": rule.severity.word(),
        "family": rule.family().map(|family| family.title),
        "summary": rule.summary(),
        "reads": rule.reads.iter().map(|kind| kind.name()).collect::<Vec<_>>(),
    })
}
