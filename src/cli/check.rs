//! `fleetlens check`: judge manifests before they are applied.

mod files;
mod fix;
mod git;

use std::io::Write as _;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::level::Level;
use super::{Ending, OutputArgs};
use crate::check::{Wishes, check, mend};
use crate::error::Error;
use crate::manifest::{Repository, Setting, Webhooks};
use crate::source::Sources;
use files::Files;
use fix::FixArgs;

/// Arguments of `check`.
#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// Files, directories, or `-` for standard input.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<String>,
    #[command(flatten)]
    output: OutputArgs,
    /// Judge the files as edits of the objects in this file.
    #[arg(long, value_name = "FILE")]
    old: Vec<PathBuf>,
    /// Compare with what git has in this revision; in a repository HEAD is the default.
    #[arg(long, value_name = "REV", conflicts_with = "old")]
    against: Option<String>,
    /// What else is there: a directory of manifests; without it the repository of the first path.
    #[arg(long, value_name = "DIR")]
    context: Option<PathBuf>,
    /// A dump of member clusters, for their labels.
    #[arg(long, value_name = "FILE")]
    members: Vec<PathBuf>,
    /// Whether the hub has its admission webhooks.
    #[arg(long, value_enum, default_value = "on")]
    webhooks: Switch,
    /// Exit with 1 from this severity on.
    #[arg(long, value_enum, default_value = "error")]
    fail_on: Level,
    /// Only these rules: codes, beginnings of codes, names.
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    select: Vec<String>,
    /// Not these rules.
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    ignore: Vec<String>,
    #[command(flatten)]
    fix: FixArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Switch {
    On,
    Off,
}

/// Tells the user something that is not part of the report.
fn notice(text: &str) {
    // Nothing is left to do if even that cannot be told.
    let _ = writeln!(std::io::stderr(), "fleetlens: {text}");
}

/// Runs the command.
pub(super) fn run(args: &CheckArgs) -> Result<Ending, Error> {
    let reach = args.fix.reach(&args.paths)?;
    let mut files = Files::default();
    files.add_judged(&args.paths)?;
    files.add_old(&args.old)?;
    if args.old.is_empty()
        && !files.add_revision(args.against.as_deref().unwrap_or("HEAD"))
        && args.against.is_some()
    {
        notice("no git repository here: changes are not judged");
    }
    files.add_members(&args.members)?;
    match &args.context {
        Some(context) => files.add_context(context),
        None => files.add_repository(args.paths.first().map_or("-", String::as_str)),
    }
    let webhooks = match args.webhooks {
        Switch::On => Webhooks::On,
        Switch::Off => Webhooks::Off,
    };
    let wishes = Wishes { select: args.select.clone(), ignore: args.ignore.clone() };
    let judge = |sources: &Sources| {
        let repository = Repository::read(sources, &files.roles, Setting { webhooks });
        let mut report = check(&repository, sources, &wishes);
        report.coverage.inputs = args.paths.clone();
        report
    };
    let report = match reach {
        Some(reach) => {
            let mended = mend(&files.sources, &files.roles, reach, &judge);
            if args.fix.shows_only() {
                fix::show(&files, &mended)?;
                judge(&files.sources)
            } else {
                let written = fix::write(&files, mended, &judge);
                args.output.write(&written.report, &written.sources)?;
                written.report
            }
        }
        None => {
            let report = judge(&files.sources);
            args.output.write(&report, &files.sources)?;
            report
        }
    };
    Ok(if report.reaches(args.fail_on.into()) { Ending::Findings } else { Ending::Clean })
}
