//! `fleetlens check`: judge manifests before they are applied.

mod files;
mod fix;
mod git;
mod git_index;
mod loose_objects;
mod near_files;
mod settings;

use std::cell::Cell;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use jiff::Timestamp;

use super::atomic_write::write_file;
use super::check_names::check_rules;
use super::config::{ConfigArgs, find_pages, today};
use super::output::{print, publish};
use super::redact::RedactOption;
use super::severity_arg::SeverityArg;
use super::unreadable::{is_archive, no_manifests};
use super::{Exit, OutputArgs};
use crate::bundle::Bundle;
use crate::check::{Baseline, CheckSettings, apply_fixes, check};
use crate::config::Policy;
use crate::engine::{Provenance, Report};
use crate::error::Error;
use crate::finding::{Safety, Severity};
use crate::graph;
use crate::input::{Input, digests};
use crate::manifest::{FileRole, Repository, Setting, Surroundings};
use crate::redact::Names;
use crate::report::clean;
use crate::report::tally::statistics;
use crate::source::Sources;
use files::Files;
use fix::FixArgs;
use settings::CheckConfig;

/// Arguments of `check`.
#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// Files, directories, or `-` for standard input.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<String>,
    #[command(flatten)]
    output: OutputArgs,
    /// The objects as they are stored now; the files are judged as updates of them.
    #[arg(long, value_name = "FILE")]
    old: Vec<PathBuf>,
    /// Judge the files as updates of what git has in this revision. Default: HEAD, in a repository.
    #[arg(long, value_name = "REV", conflicts_with = "old")]
    against: Option<String>,
    /// A directory of further manifests to look names up in. Default: the repository of the first path.
    #[arg(long, value_name = "DIR")]
    context: Option<PathBuf>,
    /// A dump of member clusters, for their labels.
    #[arg(long, value_name = "FILE")]
    members: Vec<PathBuf>,
    /// Whether the hub has its admission webhooks. Default: on.
    #[arg(long, value_enum)]
    webhooks: Option<Switch>,
    /// Exit with 1 if a finding is at least this severe. Default: error.
    #[arg(long, value_enum)]
    fail_on: Option<SeverityArg>,
    /// Hide the findings that this baseline file lists.
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write all findings to this baseline file instead of reporting them.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["baseline", "fix", "diff"])]
    write_baseline: Option<PathBuf>,
    #[command(flatten)]
    config: ConfigArgs,
    /// The time by which entries of the configuration may have expired. Default: the system clock.
    #[arg(long, value_name = "TIME")]
    now: Option<Timestamp>,
    /// Only these rules: codes, beginnings of codes, names.
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    select: Vec<String>,
    /// All but these rules.
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    ignore: Vec<String>,
    #[command(flatten)]
    fix: FixArgs,
    #[command(flatten)]
    redact: RedactOption,
    #[command(flatten)]
    show: ShowArgs,
    /// Judge the YAML blocks of Markdown files in directories, too.
    #[arg(long)]
    markdown: bool,
    /// The file that standard input stands for: its name in the report, its configuration, its repository.
    #[arg(long, value_name = "PATH")]
    stdin_filename: Option<String>,
}

/// What is shown in place of the findings.
#[derive(Debug, Args)]
struct ShowArgs {
    /// Show how often each rule found something, instead of the findings.
    #[arg(long, conflicts_with_all = ["fix", "diff", "write_baseline", "format"])]
    statistics: bool,
    /// List the files that would be judged, and judge nothing.
    #[arg(long, conflicts_with_all = ["statistics", "fix", "diff", "write_baseline", "format"])]
    show_files: bool,
}

impl CheckArgs {
    /// Returns where to look for the repository and the configuration: standard input stands for a file, which need
    /// not be there, so that its folder is looked at.
    fn whereabouts(&self) -> Vec<String> {
        let folder = self.stdin_filename.as_deref().and_then(|name| Path::new(name).parent());
        let folder = folder.map(|folder| folder.display().to_string()).filter(|it| !it.is_empty());
        let stands_for = folder.unwrap_or_else(|| ".".to_owned());
        let place = |path: &String| if path == "-" { stands_for.clone() } else { path.clone() };
        self.paths.iter().map(place).collect()
    }
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
pub(super) fn run(args: &CheckArgs) -> Result<Exit, Error> {
    if let Some(path) = args.paths.iter().find(|path| is_archive(path)) {
        let path = clean(path);
        return Err(Error::Nothing(format!(
            "{path} is an archive, and check judges manifests. To judge a bundle: fleetlens analyze {path}"
        )));
    }
    if args.stdin_filename.is_some() && !args.paths.iter().any(|path| path == "-") {
        let text = "--stdin-filename says what `-` stands for, and there is no `-` among the paths";
        return Err(Error::Usage(text.to_owned()));
    }
    check_rules(&args.select)?;
    check_rules(&args.ignore)?;
    let reach = args.fix.reach(&args.paths)?;
    if args.redact.is_asked() && args.fix.shows_only() {
        let text = "--diff shows lines of your files as they are; --redact cannot change them";
        return Err(Error::Usage(text.to_owned()));
    }
    args.output.keep_apart(&args.paths)?;
    let mut files = Files::new(args.markdown, args.stdin_filename.as_deref());
    let root = git::root_of(&first_path(args));
    let steering = CheckConfig::read(args, root.as_deref(), &mut files)?;
    let extent = steering.extent(args, root.as_deref());
    files.add_judged(&args.paths)?;
    if args.show.show_files {
        print(&files.judged_paths())?;
        return Ok(Exit::Clean);
    }
    if let Some(text) =
        no_manifests(&args.paths, files.judged_count()).filter(|_| files.unread.is_empty())
    {
        return Err(Error::Nothing(text));
    }
    for (path, why) in &files.unread {
        notice(&format!("{} was not read and is not judged: {why}", clean(path)));
    }
    let given = steering.context(args);
    // Files of other kinds are passed over before anything else is read.
    if files.has_fleet_objects() {
        files.add_old(&args.old)?;
        if args.old.is_empty() {
            compare(args, root.as_deref(), &mut files)?;
        }
        steering.members(args).iter().try_for_each(|path| files.add_member_dump(path))?;
        for path in files.empty_member_dumps() {
            notice(&format!("{path} tells of no MemberCluster: no label is known by it"));
        }
    }
    let folder = args.paths.iter().any(|path| Path::new(path).is_dir());
    let surroundings = match (&given, &root) {
        (Some(_), _) => Surroundings::Stored,
        (None, None) if !folder => Surroundings::Unknown,
        (None, _) => Surroundings::Repository,
    };
    let setting = Setting { webhooks: steering.webhooks(args), surroundings };
    let settings = CheckSettings {
        select: args.select.clone(),
        ignore: args.ignore.clone(),
        extent,
        policy: Policy { today: Some(today(args.now)), ..steering.config.policy.clone() },
        baseline: steering.baseline.clone(),
    };
    let pages = find_pages(steering.config.pages.clone())?;
    let unread_files = files.unread.len();
    let judge = |sources: &Sources, roles: &[FileRole]| {
        let repository = Repository::read(sources, roles, setting);
        let mut report = check(&repository, sources, &settings);
        report.coverage.inputs = args.paths.clone();
        report.coverage.unread_files = unread_files;
        report.pages = pages.clone();
        (repository, report)
    };
    // What is told about the repository itself, or changed in it, takes all of it.
    let needs_all = given.is_some()
        || !steering.members(args).is_empty()
        || !settings.policy.ignores.is_empty()
        || settings.baseline.is_some()
        || args.write_baseline.is_some()
        || reach.is_some()
        || args.redact.is_asked()
        || args.output.names_inputs();
    let near = near_files::narrowed(root.as_ref(), needs_all).filter(|_| files.has_fleet_objects());
    let settled = near.and_then(|root| {
        near_files::on_this_thread(|| {
            let near = files.with_near(root);
            let (repository, report) = judge(&near.sources, &near.roles);
            let is_settled = near_files::is_settled(&repository, &report);
            // The process ends soon: trees are not freed node by node.
            std::mem::forget(repository);
            is_settled.then_some((near, report))
        })
    });
    let finish = |files: &Files, settled: Option<Report>| {
        let settled = Cell::new(settled);
        let judge =
            |sources: &Sources| settled.take().unwrap_or_else(|| judge(sources, &files.roles).1);
        report_on(args, files, reach, steering.fail_on(args), &judge)
    };
    if let Some((near, report)) = settled {
        return finish(&near, Some(report));
    }
    let mut with_all = || {
        if files.has_fleet_objects() {
            given.iter().chain(&root).take(1).try_for_each(|context| files.add_context(context))?;
        }
        finish(&files, None)
    };
    if near.is_some() { near_files::on_all_threads(with_all) } else { with_all() }
}

/// Reports what was found, in the way that was asked for.
fn report_on(
    args: &CheckArgs,
    files: &Files,
    reach: Option<Safety>,
    fail_on: Severity,
    judge: &dyn Fn(&Sources) -> Report,
) -> Result<Exit, Error> {
    if let Some(path) = &args.write_baseline {
        let baseline = Baseline::of(&judge(&files.sources));
        write_file(path, baseline.render().as_bytes())?;
        notice(&format!("{} findings are known by {}", baseline.count(), path.display()));
        return Ok(Exit::Clean);
    }
    let report = if args.show.statistics {
        let report = judge(&files.sources);
        publish(&statistics(&report), &files.sources)?;
        report
    } else {
        conclude(args, files, reach, judge)?
    };
    if !files.unread.is_empty() {
        return Ok(Exit::Incomplete);
    }
    Ok(args.output.outcome.ending(report.reaches(fail_on)))
}

/// Makes the fixes that were asked for, and shows what is left.
fn conclude(
    args: &CheckArgs,
    files: &Files,
    reach: Option<Safety>,
    judge: &dyn Fn(&Sources) -> Report,
) -> Result<Report, Error> {
    let names = |sources: &Sources| {
        let bundle = Bundle::parse(sources.copy(), &|_| true);
        Names::of(&bundle, &graph::build(&bundle, None))
    };
    args.redact.apply_with(&[&files.sources], || names(&files.sources))?;
    let Some(reach) = reach else {
        let report = with_provenance(args, judge(&files.sources));
        args.output.write(&report, &files.sources)?;
        return Ok(report);
    };
    let mended = apply_fixes(&files.sources, &files.roles, reach, judge);
    if args.fix.shows_only() {
        fix::show(files, &mended)?;
        return Ok(judge(&files.sources));
    }
    let written = fix::write(files, mended, judge);
    args.redact.apply_with(&[&written.sources], || names(&written.sources))?;
    let report = with_provenance(args, written.report);
    args.output.write(&report, &written.sources)?;
    Ok(report)
}

/// Adds of what a report was made, if some format tells it.
fn with_provenance(args: &CheckArgs, report: Report) -> Report {
    let mut flags = Vec::new();
    flags.extend(args.against.iter().map(|revision| format!("--against {revision}")));
    flags.extend(args.webhooks.iter().map(|switch| match switch {
        Switch::On => "--webhooks on".to_owned(),
        Switch::Off => "--webhooks off".to_owned(),
    }));
    flags.extend(args.select.iter().map(|rule| format!("--select {rule}")));
    flags.extend(args.ignore.iter().map(|rule| format!("--ignore {rule}")));
    let inputs: Vec<Input> = args.paths.iter().map(Input::from).collect();
    let made = || Provenance { inputs: digests(&inputs), flags };
    Report { provenance: args.output.names_inputs().then(made), ..report }
}

/// Adds the old side of the judged files, as git has it; says so where there is none.
fn compare(args: &CheckArgs, root: Option<&Path>, files: &mut Files) -> Result<(), Error> {
    let trouble = match (root, &args.against) {
        (Some(root), Some(revision)) if !git::has_revision(root, revision) => {
            return Err(Error::Usage(format!("git has no revision {revision}")));
        }
        (Some(root), revision) => {
            let revision = revision.as_deref().unwrap_or("HEAD");
            (!files.add_revision(root, revision)).then_some("git cannot be asked")
        }
        // What comes through standard input is no file of a repository in the first place.
        (None, None) if args.paths.iter().all(|path| path == "-") => None,
        (None, _) => Some("no git repository here"),
    };
    if let Some(trouble) = trouble {
        notice(&format!(
            "{trouble}: changes are not judged (--old FILE names what is stored), and only what is \
             named or in --context DIR is known"
        ));
    }
    Ok(())
}

/// Returns the path that tells which repository is meant: the first that is named, else what standard input stands for.
fn first_path(args: &CheckArgs) -> PathBuf {
    let named = args.paths.iter().find(|path| *path != "-").cloned();
    named.or_else(|| args.whereabouts().into_iter().next()).unwrap_or_default().into()
}
