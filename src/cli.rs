//! The command line: arguments in, report out, exit code.
//!
//! Owns the clap types and one file per command. The only layer besides `input` that touches files,
//! the environment and the terminal.

mod analyze;
mod check;
mod config;
mod diff;
mod dump;
mod explain;
mod focus;
mod later;
mod level;
mod output;
mod plan;
mod timeline;
mod tree;
mod verify;

use std::io::{ErrorKind, Write as _};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use later::Later;

pub use output::{ColorChoice, Format, OutputArgs};

/// Finds what broke in a KubeFleet staged update run, offline, from what the customer sent.
#[derive(Debug, Parser)]
#[command(name = "fleetlens", version, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Judge a bundle: directory, archive, loose files, a paste, `-` for standard input.
    Analyze(Later<analyze::AnalyzeArgs>),
    /// Show what happened, in order, over objects, events and logs.
    Timeline(Later<timeline::TimelineArgs>),
    /// Judge manifests before they are applied: what the hub would refuse, and what would not do what is meant.
    Check(Later<check::CheckArgs>),
    /// Show which cluster lands in which stage, in what order, and how long that takes at least.
    Plan(Later<plan::PlanArgs>),
    /// Show runs and placements down to pods, or what put an object on a member.
    Tree(Later<tree::TreeArgs>),
    /// Compare two bundles by meaning: what moved, which causes are new, still there or gone.
    Diff(Later<diff::DiffArgs>),
    /// Judge an input again and say, one by one, whether the findings of a report still hold.
    Verify(Later<verify::VerifyArgs>),
    /// Show the page of a rule, or what a reason, a condition type or a message means.
    Explain(Later<explain::ExplainArgs>),
    /// List all rules.
    Rules,
    /// Show what was understood: sources, documents, trees with positions.
    Dump(Later<dump::DumpArgs>),
}

/// How a command ended, as its exit code says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Nothing at or above the threshold.
    Clean,
    /// Findings at or above the threshold.
    Findings,
    /// No input was recognised.
    Nothing,
}

impl Ending {
    fn code(self) -> ExitCode {
        ExitCode::from(match self {
            Self::Clean => 0,
            Self::Findings => 1,
            Self::Nothing => 3,
        })
    }
}

/// Runs a command and returns its exit code; a broken pipe is success.
pub fn run(cli: Cli) -> ExitCode {
    quiet_rules();
    let ended = match cli.command {
        Command::Analyze(args) => analyze::run(&args.0),
        Command::Timeline(args) => timeline::run(&args.0),
        Command::Check(args) => check::run(&args.0),
        Command::Plan(args) => plan::run(&args.0),
        Command::Tree(args) => tree::run(&args.0),
        Command::Diff(args) => diff::run(&args.0),
        Command::Verify(args) => verify::run(&args.0),
        Command::Explain(args) => explain::run(&args.0),
        Command::Rules => explain::list(),
        Command::Dump(args) => dump::run(&args.0),
    };
    match ended {
        Ok(ending) => ending.code(),
        Err(crate::error::Error::Write { source, .. })
            if source.kind() == ErrorKind::BrokenPipe =>
        {
            ExitCode::SUCCESS
        }
        Err(crate::error::Error::Faulty { path, faults, sources }) => {
            let text = output::faults(&path, &faults, &sources);
            // Nothing is left to do if even the error cannot be told.
            let _ = write!(std::io::stderr(), "{text}");
            ExitCode::from(2)
        }
        Err(error) => {
            let mut text = format!("fleetlens: {error}");
            let mut cause: Option<&dyn std::error::Error> = std::error::Error::source(&error);
            while let Some(inner) = cause {
                text.push_str(&format!(": {inner}"));
                cause = inner.source();
            }
            // Nothing is left to do if even the error cannot be told.
            let _ = writeln!(std::io::stderr(), "{text}");
            ExitCode::from(2)
        }
    }
}

/// Keeps the panic of a rule, which becomes a finding, from printing a trace over the report.
fn quiet_rules() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if !crate::engine::is_judging() {
            usual(info);
        }
    }));
}
