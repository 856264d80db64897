//! `fleetlens timeline`: what happened, in order.

use clap::{Args, ValueEnum};
use jiff::Timestamp;

use super::focus::FocusArgs;
use super::{Ending, output};
use crate::bundle::Bundle;
use crate::engine::timeline::{Period, timeline};
use crate::error::Error;
use crate::graph;
use crate::report::timeline::{render, render_json};

/// Arguments of `timeline`.
#[derive(Debug, Args)]
pub(super) struct TimelineArgs {
    /// Directories, archives, files, or `-` for standard input.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<String>,
    #[command(flatten)]
    focus: FocusArgs,
    /// Nothing before this time (RFC 3339).
    #[arg(long, value_name = "TIME")]
    since: Option<Timestamp>,
    /// Nothing after this time (RFC 3339).
    #[arg(long, value_name = "TIME")]
    until: Option<Timestamp>,
    /// The time of capture (RFC 3339), which tells the year of logs; without it the newest stamp.
    #[arg(long, value_name = "TIME")]
    now: Option<Timestamp>,
    /// A table for people, or a JSON list with one entry per event.
    #[arg(long, value_enum, default_value = "human")]
    format: TimelineFormat,
    /// Columns to fill; without it those of the terminal, else 100.
    #[arg(long)]
    width: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TimelineFormat {
    Human,
    Json,
}

/// Runs the command.
pub(super) fn run(args: &TimelineArgs) -> Result<Ending, Error> {
    let bundle = Bundle::open(&args.paths)?;
    let graph = graph::build(&bundle, args.now);
    let focus = args.focus.focus();
    let found = timeline(&graph, &focus, &Period { since: args.since, until: args.until });
    output::print(&match args.format {
        TimelineFormat::Human => render(&found, &bundle.sources, output::columns(args.width)),
        TimelineFormat::Json => render_json(&found, &bundle.sources),
    })?;
    Ok(if bundle.is_empty() { Ending::Nothing } else { Ending::Clean })
}
