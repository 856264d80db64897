//! `fleetlens timeline`: what happened, in order.

use clap::{Args, ValueEnum};
use jiff::Timestamp;

use super::check_names::check_focus;
use super::focus::FocusArgs;
use super::output::{Output, StyleArgs};
use super::progress::Progress;
use super::redact::RedactOption;
use super::unreadable::open_capture;
use super::{Exit, output};
use crate::config::Config;
use crate::engine::{judge_graph, key_moments, sanitized};
use crate::error::Error;
use crate::graph;
use crate::report::timeline::{Places, render, render_json, render_story};
use crate::views::timeline::{Period, timeline};

/// Arguments of `timeline`.
#[derive(Debug, Args)]
pub(super) struct TimelineArgs {
    /// Folders, archives, files, or `-` for standard input.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<String>,
    #[command(flatten)]
    focus: FocusArgs,
    #[command(flatten)]
    redact: RedactOption,
    /// Nothing before this time (RFC 3339).
    #[arg(long, value_name = "TIME")]
    since: Option<Timestamp>,
    /// Nothing after this time (RFC 3339).
    #[arg(long, value_name = "TIME")]
    until: Option<Timestamp>,
    /// The time of capture (RFC 3339), which tells the year of logs. Default: the newest timestamp.
    #[arg(long, value_name = "TIME")]
    now: Option<Timestamp>,
    /// A table for people, or a JSON list with one entry per event.
    #[arg(short = 'o', long, value_enum, default_value = "human")]
    format: TimelineFormat,
    /// Show every event, not only those that carry the verdict.
    #[arg(long)]
    all: bool,
    /// Show where each event stands in the bundle.
    #[arg(long)]
    places: bool,
    #[command(flatten)]
    style: StyleArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TimelineFormat {
    Human,
    Json,
}

/// Runs the command.
pub(super) fn run(args: &TimelineArgs) -> Result<Exit, Error> {
    let progress = Progress::start("reading the bundle");
    let bundle = open_capture(&args.paths, &progress)?;
    progress.stage("joining the objects");
    let graph = graph::build(&bundle, args.now);
    args.redact.apply(&bundle, &graph)?;
    let focus = args.focus.focus();
    check_focus(&graph, &focus)?;
    let period = Period { since: args.since, until: args.until };
    let found = sanitized(timeline(&graph, &focus, &period), &bundle.sources);
    let look = args.style.look(Output::Standard);
    if args.format == TimelineFormat::Json {
        drop(progress);
        output::publish(&render_json(&found, &bundle.sources), &bundle.sources)?;
        return Ok(Exit::Clean);
    }
    progress.stage("judging");
    let config = Config { now: args.now, focus, ..Config::default() };
    let told = (!args.all).then(|| judge_graph(&bundle, &graph, &config));
    drop(progress);
    let picked = told.as_ref().map(|report| (key_moments(&found, &graph, report), report));
    let text = match picked.filter(|(picked, _)| !picked.scenes.is_empty()) {
        Some((picked, report)) => {
            let places = if args.places { Places::Shown } else { Places::Hidden };
            render_story(&picked, &found, report, &bundle.sources, look, places)
        }
        None => render(&found, &bundle.sources, look.width),
    };
    args.style.publish(&text, &bundle.sources)?;
    Ok(Exit::Clean)
}
