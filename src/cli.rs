//! The command line: arguments in, report out, exit code.
//!
//! Owns the clap types and one file per command. The only layer besides `input` that touches files,
//! the environment and the terminal.

mod analyze;
mod atomic_write;
mod check;
mod check_names;
mod config;
mod deferred;
mod diff;
mod dump;
mod explain;
mod focus;
mod interrupt;
mod manual;
mod outcome;
mod output;
mod plan;
mod progress;
mod redact;
mod severity_arg;
mod timeline;
mod tree;
mod unreadable;
mod verify;

use std::ffi::OsString;
use std::io::{ErrorKind, Write as _};
use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use deferred::Deferred;

pub use output::{ColorChoice, OutputArgs};

/// Finds what is wrong with KubeFleet staged update runs and placements, offline, in what the customer sent.
#[derive(Debug, Parser)]
#[command(
    name = "fleetlens",
    version,
    max_term_width = 100,
    after_help = "\
Examples:
  fleetlens bundle.tgz                         judge a bundle: short for fleetlens analyze
  fleetlens timeline bundle.tgz                what happened, in order, with the cause marked
  fleetlens check fleet/                       judge manifests before they are applied

Exit codes: 0 nothing found, 1 something found, 2 wrong arguments, 3 nothing recognised."
)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Judge a bundle: a folder, an archive, single files, a paste, or `-` for standard input.
    #[command(after_help = "\
Examples:
  fleetlens analyze bundle.tgz
  fleetlens analyze must-gather/ --run web-2-0-1 --all
  kubectl get clusterstagedupdateruns -o yaml | fleetlens analyze - -o json=report.json")]
    Analyze(Deferred<analyze::AnalyzeArgs>),
    /// Show what happened, in order: the events that carry the verdict, or all of them.
    #[command(after_help = "\
Examples:
  fleetlens timeline bundle.tgz
  fleetlens timeline bundle.tgz --run web-2-0-1 --places
  fleetlens timeline bundle.tgz --all --since 2026-11-16T12:30:00Z")]
    Timeline(Deferred<timeline::TimelineArgs>),
    /// Judge manifests before they are applied: what the hub would refuse, and what would not do what is meant.
    #[command(after_help = "\
Examples:
  fleetlens check fleet/
  fleetlens check strategy.yaml --members memberclusters.yaml
  fleetlens check fleet/ --fix")]
    Check(Deferred<check::CheckArgs>),
    /// Show which cluster lands in which stage, in what order, and how long that takes at least.
    #[command(after_help = "\
Examples:
  fleetlens plan strategy.yaml --members memberclusters.yaml
  fleetlens plan bundle.tgz
  fleetlens plan fleet/ -o json")]
    Plan(Deferred<plan::PlanArgs>),
    /// Show runs and placements down to pods, or what put an object on a member cluster.
    #[command(after_help = "\
Examples:
  fleetlens tree bundle.tgz
  fleetlens tree bundle.tgz --run web-2-0-1
  fleetlens tree bundle.tgz --object Deployment/shop/web")]
    Tree(Deferred<tree::TreeArgs>),
    /// Compare two bundles by meaning: what moved, which causes are new, still there or gone.
    #[command(after_help = "\
Examples:
  fleetlens diff monday.tgz tuesday.tgz
  fleetlens diff before/ after/ --format json
  fleetlens diff old.yaml new.yaml")]
    Diff(Deferred<diff::DiffArgs>),
    /// Judge an input again and say, one by one, whether the findings of a report still hold.
    #[command(after_help = "\
Examples:
  fleetlens verify report.json bundle.tgz
  fleetlens verify report.json newer-bundle/
  kubectl get clusterstagedupdateruns -o yaml | fleetlens verify report.json -")]
    Verify(Deferred<verify::VerifyArgs>),
    /// Explain a rule, a reason, a condition type, a field, or a message of a controller.
    #[command(after_help = "\
Examples:
  fleetlens explain FL0501
  fleetlens explain UpdateRunStuck csur.status.stagesStatus
  fleetlens explain FL0501 --sample | fleetlens -")]
    Explain(Deferred<explain::ExplainArgs>),
    /// Write a copy of a bundle with pseudonyms for names, and without secrets and addresses.
    #[command(after_help = "\
Examples:
  fleetlens redact bundle.tgz -o shared.tgz
  fleetlens redact must-gather/ -o shared.tgz --map names.json
  fleetlens redact next-upload.tgz -o shared2.tgz --map names.json")]
    Redact(Deferred<redact::RedactArgs>),
    /// List all rules, by family.
    #[command(after_help = "\
Examples:
  fleetlens rules
  fleetlens rules FL05
  fleetlens rules -o json")]
    Rules(Deferred<explain::RulesArgs>),
    /// Show what was understood of files: documents, and trees with positions.
    #[command(after_help = "\
Examples:
  fleetlens dump bundle.tgz
  fleetlens dump describe.txt
  fleetlens dump -")]
    Dump(Deferred<dump::DumpArgs>),
    /// Print completions for a shell.
    #[command(after_help = "\
Examples:
  fleetlens completions bash > /etc/bash_completion.d/fleetlens
  fleetlens completions zsh > ~/.zfunc/_fleetlens
  fleetlens completions powershell >> $PROFILE")]
    Completions(manual::CompletionsArgs),
    /// Print the manual page.
    #[command(after_help = "\
Examples:
  fleetlens man | man -l -
  fleetlens man > fleetlens.1
  fleetlens man | gzip > /usr/local/share/man/man1/fleetlens.1.gz")]
    Man,
    /// Print the version.
    #[command(after_help = "\
Examples:
  fleetlens version
  fleetlens --version
  kubectl fleetlens version")]
    Version,
}

/// Returns the arguments as they were meant: a path without a command is to be analyzed.
pub fn arguments(given: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = given.collect();
    let is_path = words.get(1).and_then(|word| word.to_str()).is_some_and(|word| {
        let command = Cli::command();
        let is_command = command.get_subcommands().any(|known| known.get_name() == word);
        let looks_like_one = word.contains(['/', '\\', '.']) || Path::new(word).exists();
        word == "-" || (!word.starts_with('-') && !is_command && word != "help" && looks_like_one)
    });
    if is_path {
        words.insert(1, "analyze".into());
    }
    words
}

/// Reads the arguments; usage lines say how the program was called, as itself or as a plugin of kubectl.
pub fn parse(words: Vec<OsString>) -> Cli {
    let program = words.first().map(Path::new).and_then(Path::file_stem);
    let is_plugin = program.is_some_and(|stem| stem.to_string_lossy().starts_with("kubectl-"));
    let command = Cli::command();
    let command = if is_plugin { command.bin_name("kubectl fleetlens") } else { command };
    let read =
        command.try_get_matches_from(words).and_then(|mut it| Cli::from_arg_matches_mut(&mut it));
    read.unwrap_or_else(|error| error.exit())
}

/// How a command ended, as its exit code says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Nothing at or above the threshold.
    Clean,
    /// Findings at or above the threshold.
    Findings,
    /// No input was recognised.
    Nothing,
    /// What was to be judged could not be read, so that silence would mean nothing.
    Incomplete,
}

impl Exit {
    fn code(self) -> ExitCode {
        ExitCode::from(match self {
            Self::Clean => 0,
            Self::Findings => 1,
            Self::Nothing => 3,
            Self::Incomplete => 2,
        })
    }
}

/// Runs a command and returns its exit code; a broken pipe is success.
pub fn run(cli: Cli) -> ExitCode {
    quiet_rules();
    let ended = std::panic::catch_unwind(AssertUnwindSafe(|| dispatch(cli.command)));
    let ended = ended.unwrap_or_else(|_| {
        let text =
            "the tool itself is at fault; the message above and the input would help to mend it";
        Err(crate::error::Error::Usage(text.to_owned()))
    });
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
        Err(crate::error::Error::Nothing(text)) => {
            // Nothing is left to do if even that cannot be told.
            let _ = writeln!(std::io::stderr(), "fleetlens: {text}");
            Exit::Nothing.code()
        }
        Err(error) => {
            let mut text = format!("fleetlens: {error}");
            let mut cause: Option<&dyn std::error::Error> = std::error::Error::source(&error);
            while let Some(inner) = cause {
                text.push_str(&format!(": {inner}"));
                cause = inner.source();
            }
            // Nothing is left to do if even the error cannot be told.
            let _ = writeln!(std::io::stderr(), "{}", crate::report::clean(&text));
            ExitCode::from(2)
        }
    }
}

fn dispatch(command: Command) -> Result<Exit, crate::error::Error> {
    match command {
        Command::Analyze(args) => analyze::run(&args.0),
        Command::Timeline(args) => timeline::run(&args.0),
        Command::Check(args) => check::run(&args.0),
        Command::Plan(args) => plan::run(&args.0),
        Command::Tree(args) => tree::run(&args.0),
        Command::Diff(args) => diff::run(&args.0),
        Command::Verify(args) => verify::run(&args.0),
        Command::Redact(args) => redact::run(&args.0),
        Command::Explain(args) => explain::run(&args.0),
        Command::Rules(args) => explain::list(&args.0),
        Command::Dump(args) => dump::run(&args.0),
        Command::Completions(args) => manual::completions(&args, Cli::command()),
        Command::Man => manual::man(Cli::command()),
        Command::Version => manual::version(),
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
