//! `fleetlens analyze`: judge a bundle.

use clap::Args;
use jiff::Timestamp;

use super::config::{read_config, tell_lapsed, today};
use super::focus::FocusArgs;
use super::level::Level;
use super::{Ending, OutputArgs};
use crate::bundle::Bundle;
use crate::config::{Config, Policy};
use crate::engine::{Provenance, judge};
use crate::error::Error;
use crate::finding::Severity;
use crate::input::digests;

/// Arguments of `analyze`.
#[derive(Debug, Args)]
pub(super) struct AnalyzeArgs {
    /// Directories, archives, files, or `-` for standard input.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<String>,
    #[command(flatten)]
    output: OutputArgs,
    /// The time of capture (RFC 3339); without it the newest stamp in the bundle.
    #[arg(long, value_name = "TIME")]
    now: Option<Timestamp>,
    #[command(flatten)]
    focus: FocusArgs,
    /// Do not show findings below this severity.
    #[arg(long, value_enum, default_value = "note")]
    min_severity: Level,
    /// Exit with 1 from this severity on; without it from error on.
    #[arg(long, value_enum)]
    fail_on: Option<Level>,
    /// Only these rules: codes, beginnings of codes, names.
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    select: Vec<String>,
    /// Not these rules.
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    ignore: Vec<String>,
    /// A fleetlens.toml whose levels of rules and ignored findings hold.
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
pub(super) fn run(args: &AnalyzeArgs) -> Result<Ending, Error> {
    let file = args.config.as_deref().map(read_config).transpose()?.unwrap_or_default();
    let policy = Policy { today: Some(today(args.now)), ..file.policy };
    if let Some(path) = &args.config {
        tell_lapsed(path, &policy);
    }
    let fail_on = args.fail_on.map(Severity::from).or(file.fail_on).unwrap_or(Severity::Error);
    let bundle = Bundle::open(&args.paths)?;
    let config = Config {
        now: args.now,
        select: args.select.clone(),
        ignore: args.ignore.clone(),
        min_severity: args.min_severity.into(),
        focus: args.focus.focus(),
        policy,
    };
    let mut report = judge(&bundle, &config);
    if args.output.names_inputs() {
        let flags = args.flags();
        report.provenance = Some(Provenance { inputs: digests(&args.paths), flags });
    }
    args.output.write(&report, &bundle.sources)?;
    if bundle.is_empty() {
        return Ok(Ending::Nothing);
    }
    Ok(if report.reaches(fail_on) { Ending::Findings } else { Ending::Clean })
}
