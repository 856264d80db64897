//! `fleetlens tree`: runs and placements down to pods, and the way back up from an object.

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
use crate::engine::{judge_graph, marked_tree, sanitized};
use crate::error::Error;
use crate::graph;
use crate::report::tree::{render, render_dot, render_json, render_mermaid};
use crate::views::tree::ObjectQuery;

/// Arguments of `tree`.
#[derive(Debug, Args)]
pub(super) struct TreeArgs {
    /// Folders, archives, files, or `-` for standard input.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<String>,
    /// Ask what put this object on a member: KIND/NAME or KIND/NAMESPACE/NAME.
    #[arg(long, value_name = "OBJECT", conflicts_with_all = ["run", "placement", "cluster", "namespace"])]
    object: Option<ObjectQuery>,
    #[command(flatten)]
    focus: FocusArgs,
    #[command(flatten)]
    redact: RedactOption,
    /// The time of capture (RFC 3339). Default: the newest timestamp in the bundle.
    #[arg(long, value_name = "TIME")]
    now: Option<Timestamp>,
    /// Text for people, JSON for programs, or the text of a drawing.
    #[arg(short = 'o', long, value_enum, default_value = "human")]
    format: TreeFormat,
    #[command(flatten)]
    style: StyleArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TreeFormat {
    Human,
    Json,
    Mermaid,
    Dot,
}

/// Runs the command.
pub(super) fn run(args: &TreeArgs) -> Result<Exit, Error> {
    let progress = Progress::start("reading the bundle");
    let bundle = open_capture(&args.paths, &progress)?;
    progress.stage("joining and judging");
    let graph = graph::build(&bundle, args.now);
    check_focus(&graph, &args.focus.focus())?;
    args.redact.apply(&bundle, &graph)?;
    let config = Config { now: args.now, ..Config::default() };
    let report = judge_graph(&bundle, &graph, &config);
    let focus = args.focus.focus();
    let forest = marked_tree(&graph, &report, &focus, args.object.as_ref());
    let forest = sanitized(forest, &bundle.sources);
    drop(progress);
    if args.format == TreeFormat::Human {
        let look = args.style.look(Output::Standard);
        let text = render(&forest, &graph.clock, look.width, look.color);
        args.style.publish(&text, &bundle.sources)?;
        return Ok(Exit::Clean);
    }
    let text = match args.format {
        TreeFormat::Human => String::new(),
        TreeFormat::Json => render_json(&forest, &graph.clock),
        TreeFormat::Mermaid => render_mermaid(&forest, &graph.clock),
        TreeFormat::Dot => render_dot(&forest, &graph.clock),
    };
    output::publish(&text, &bundle.sources)?;
    Ok(Exit::Clean)
}
