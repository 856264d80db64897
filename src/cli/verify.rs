//! `fleetlens verify`: do the findings of a report still hold on this input?

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::Exit;
use super::outcome::OutcomeArgs;
use super::output::{StyleArgs, publish};
use super::progress::Progress;
use super::redact::RedactOption;
use super::unreadable::open_filled;
use crate::config::Config;
use crate::engine::{ResolvedFinding, judge_graph};
use crate::error::Error;
use crate::graph;
use crate::input::InputDigest;
use crate::redact::Names;
use crate::report::clean;

/// Arguments of `verify`.
#[derive(Debug, Args)]
pub(super) struct VerifyArgs {
    /// A report that `--format json` wrote.
    #[arg(value_name = "REPORT")]
    report: PathBuf,
    /// Directories, archives or files to judge again.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<String>,
    #[command(flatten)]
    redact: RedactOption,
    /// Text for people, or JSON for programs.
    #[arg(short = 'o', long, value_enum, default_value = "human")]
    format: VerifyFormat,
    #[command(flatten)]
    outcome: OutcomeArgs,
    #[command(flatten)]
    style: StyleArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum VerifyFormat {
    Human,
    Json,
}

/// One finding of the report that is verified.
struct Claimed {
    id: String,
    code: String,
    message: String,
    line: Option<u64>,
}

/// Runs the command; it exits with 1 if a finding does not hold any more.
pub(super) fn run(args: &VerifyArgs) -> Result<Exit, Error> {
    let report = read(&args.report)?;
    let progress = Progress::start("reading the bundle");
    let bundle = open_filled(&args.paths, &progress)?;
    let config = Config { now: given_clock(&report), ..Config::default() };
    let graph = graph::build(&bundle, config.now);
    args.redact.apply_with(&[&bundle.sources], || {
        let mut names = Names::of(&bundle, &graph);
        named(&report, &mut names);
        names
    })?;
    let judged = judge_graph(&bundle, &graph, &config);
    drop(progress);
    let now: BTreeMap<&str, &ResolvedFinding> =
        judged.findings.iter().map(|found| (&*found.id, found)).collect();
    let claims = claims(&report);
    let mut out = String::new();
    let mut rows: Vec<Value> = Vec::new();
    let mut holding = 0;
    for claim in &claims {
        let (word, place) = match now.get(&*claim.id) {
            Some(found) => {
                holding += 1;
                let line = u64::from(found.primary.start.line);
                let moved = claim.line.is_some_and(|old| old != line);
                (if moved { "moved" } else { "holds" }, format!(" (line {line})"))
            }
            None => ("gone", String::new()),
        };
        let line = now.get(&*claim.id).map(|found| found.primary.start.line);
        rows.push(row(word, &claim.id, &claim.code, &claim.message, line));
        let _ = writeln!(out, "{word:6} {} {}{place}", clean(&claim.code), clean(&claim.message));
    }
    let fresh = judged.findings.iter().filter(|it| !claims.iter().any(|claim| claim.id == it.id));
    for found in fresh {
        let message = clean(&found.finding.message);
        let line = Some(found.primary.start.line);
        rows.push(row("new", &found.id, found.finding.code, &message, line));
        let _ = writeln!(out, "new    {} {message}", found.finding.code);
    }
    let same = same_input(&report, &bundle.digests());
    let _ = writeln!(out, "\n{holding} of {} findings hold. {same}", claims.len());
    match args.format {
        _ if args.outcome.quiet => {}
        VerifyFormat::Human => args.style.publish(&out, &bundle.sources)?,
        VerifyFormat::Json => {
            let told = json!({"findings": rows, "holding": holding, "claimed": claims.len()});
            publish(&crate::report::json_text(&told), &bundle.sources)?;
        }
    }
    Ok(args.outcome.ending(holding != claims.len()))
}

/// Tells of one finding whether it holds, for programs.
fn row(state: &str, id: &str, code: &str, message: &str, line: Option<u32>) -> Value {
    json!({"state": state, "id": id, "code": code, "message": message, "line": line})
}

#[expect(clippy::disallowed_methods, reason = "the command line reads the report that was named")]
fn read(path: &PathBuf) -> Result<Value, Error> {
    let usage = |why: &str| Error::Usage(format!("{} is no report: {why}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| usage(&error.to_string()))?;
    let report: Value = serde_json::from_str(&text).map_err(|error| usage(&error.to_string()))?;
    match report["schema"].as_str() {
        Some("fleetlens/report/1") => Ok(report),
        _ => Err(usage("`fleetlens analyze --format json=FILE` writes one")),
    }
}

/// Adds the names that the report speaks of, which the input may not hold any more.
fn named(report: &Value, names: &mut Names) {
    match report {
        Value::Array(items) => items.iter().for_each(|item| named(item, names)),
        Value::Object(fields) => {
            let parts = ["cluster", "namespace", "name"];
            if fields.contains_key("kind") {
                let texts = parts.iter().filter_map(|part| fields.get(*part)?.as_str());
                texts.for_each(|text| names.add(text));
            }
            fields.values().for_each(|value| named(value, names));
        }
        _ => {}
    }
}

/// Returns the clock that the user gave when the report was made.
fn given_clock(report: &Value) -> Option<Timestamp> {
    let clock = &report["clock"];
    (clock["source"] == "given").then(|| clock["now"].as_str()?.parse().ok())?
}

fn claims(report: &Value) -> Vec<Claimed> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let findings = report["findings"].as_array().into_iter().flatten();
    findings
        .map(|finding| Claimed {
            id: text(&finding["id"]),
            code: text(&finding["code"]),
            message: text(&finding["message"]),
            line: finding["primary"]["line"].as_u64(),
        })
        .collect()
}

/// Says whether the input is the one of which the report was made.
fn same_input(report: &Value, digests: &[InputDigest]) -> &'static str {
    let known = report["provenance"]["inputs"].as_array().into_iter().flatten();
    let known: Vec<&str> = known.filter_map(|input| input["sha256"].as_str()).collect();
    if known.is_empty() || digests.is_empty() {
        return "The report does not say of which input it was made.";
    }
    let same = digests.len() == known.len()
        && digests.iter().all(|digest| known.contains(&&*digest.sha256));
    match same {
        true => "The input is the same, byte for byte.",
        false => "The input is another one than that of the report.",
    }
}
