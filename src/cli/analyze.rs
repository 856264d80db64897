//! `fleetlens analyze`: judge a bundle, or every bundle of a folder.

mod each_bundle;

use clap::Args;
use jiff::Timestamp;

use super::check_names::{check_focus, check_rules};
use super::config::{find_pages, read_config, tell_lapsed, today};
use super::focus::FocusArgs;
use super::progress::Progress;
use super::redact::RedactOption;
use super::severity_arg::SeverityArg;
use super::unreadable::no_capture;
use super::{Exit, OutputArgs};
use crate::bundle::Bundle;
use crate::config::{Config, Policy};
use crate::engine::verdict::Health;
use crate::engine::{Provenance, Report, judge_graph, report_history};
use crate::error::Error;
use crate::finding::Severity;
use crate::graph;

/// Arguments of `analyze`.
#[derive(Debug, Args)]
pub(super) struct AnalyzeArgs {
    /// Folders, archives, files, or `-` for standard input.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<String>,
    #[command(flatten)]
    output: OutputArgs,
    /// Judge every folder and archive in PATH on its own, one line each; needs --format ndjson.
    #[arg(long, conflicts_with_all = ["run", "placement", "cluster", "namespace"])]
    each: bool,
    /// The time of capture (RFC 3339). Default: the newest timestamp in the bundle.
    #[arg(long, value_name = "TIME")]
    now: Option<Timestamp>,
    #[command(flatten)]
    focus: FocusArgs,
    #[command(flatten)]
    redact: RedactOption,
    /// Do not show findings below this severity.
    #[arg(long, value_enum, default_value = "note")]
    min_severity: SeverityArg,
    /// Exit with 1 if a finding is at least this severe. Default: error.
    #[arg(long, value_enum)]
    fail_on: Option<SeverityArg>,
    /// Only these rules: codes, beginnings of codes, or names.
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    select: Vec<String>,
    /// Not these rules.
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    ignore: Vec<String>,
    /// Use the levels of rules and the ignored findings of this fleetlens.toml.
    #[arg(long, value_name = "FILE")]
    config: Option<std::path::PathBuf>,
}

impl AnalyzeArgs {
    /// Returns the options that change what is found, as they would be typed; none holds a path.
    fn flags(&self) -> Vec<String> {
        let mut flags = Vec::new();
        flags.extend(self.now.map(|now| format!("--now {now}")));
        flags.extend(self.select.iter().map(|rule| format!("--select {rule}")));
        flags.extend(self.ignore.iter().map(|rule| format!("--ignore {rule}")));
        flags.extend(self.config.as_ref().map(|_| "--config".to_owned()));
        flags
    }
}

/// Runs the command.
pub(super) fn run(args: &AnalyzeArgs) -> Result<Exit, Error> {
    let file = args.config.as_deref().map(read_config).transpose()?.unwrap_or_default();
    let pages = find_pages(file.pages)?;
    let policy = Policy { today: Some(today(args.now)), ..file.policy };
    if let Some(path) = &args.config {
        tell_lapsed(path, &policy);
    }
    let fail_on = args.fail_on.map(Severity::from).or(file.fail_on).unwrap_or(Severity::Error);
    check_rules(&args.select)?;
    check_rules(&args.ignore)?;
    let config = Config {
        now: args.now,
        select: args.select.clone(),
        ignore: args.ignore.clone(),
        min_severity: args.min_severity.into(),
        focus: args.focus.focus(),
        policy,
    };
    if args.each {
        if !args.output.is_lines() {
            let text = "--each prints one line of JSON per bundle: add --format ndjson";
            return Err(Error::Usage(text.to_owned()));
        }
        return each_bundle::run(args, &config, fail_on);
    }
    let progress = Progress::start("reading the bundle");
    args.output.keep_apart(&args.paths)?;
    let bundle = Bundle::open_watched(&args.paths, progress.gauge())?;
    let nothing = no_capture(&bundle, &args.paths);
    // A program that asked for a report gets one, whatever was sent; a person is better served by the sentence.
    if let Some(text) = nothing.clone().filter(|_| !args.output.is_for_programs()) {
        return Err(Error::Nothing(text));
    }
    progress.stage("joining the objects");
    let graph = graph::build(&bundle, args.now);
    check_focus(&graph, &config.focus)?;
    progress.stage("judging");
    args.redact.apply(&bundle, &graph)?;
    let mut report = judge_graph(&bundle, &graph, &config);
    if args.output.shows_history() {
        report.history = report_history(&graph, &bundle.sources, &report, &config.focus);
    }
    if args.output.names_inputs() {
        let flags = args.flags();
        report.provenance = Some(Provenance { inputs: bundle.digests(), flags });
    }
    report.pages = pages;
    drop(progress);
    args.output.write(&report, &bundle.sources)?;
    if let Some(text) = nothing {
        return Err(Error::Nothing(text));
    }
    let ending = ending_of(args, &bundle, &report, fail_on);
    // The process ends here: millions of nodes are not freed one by one.
    std::mem::forget((report, graph, bundle));
    Ok(ending)
}

/// Returns how the command ends that has judged a bundle.
fn ending_of(args: &AnalyzeArgs, bundle: &Bundle, report: &Report, fail_on: Severity) -> Exit {
    let silent = report.findings.is_empty() && !report.coverage.holds_kubefleet;
    match args.output.outcome.ending(report.reaches(fail_on)) {
        _ if silent || bundle.is_foreign() => Exit::Nothing,
        // What could not be read may have held it all.
        Exit::Clean if report.health() == Health::Unread && !args.output.outcome.exit_zero => {
            Exit::Incomplete
        }
        ending => ending,
    }
}
