//! `fleetlens tree`: runs and placements down to pods, and the way back up from an object.

use clap::{Args, ValueEnum};
use jiff::Timestamp;

use super::focus::FocusArgs;
use super::output::{ColorChoice, Output};
use super::{Ending, output};
use crate::bundle::Bundle;
use crate::config::Config;
use crate::engine::judge_graph;
use crate::engine::tree::{Wanted, tree, whence};
use crate::error::Error;
use crate::graph;
use crate::report::tree::{render, render_dot, render_json, render_mermaid};

/// Arguments of `tree`.
#[derive(Debug, Args)]
pub(super) struct TreeArgs {
    /// Directories, archives, files, or `-` for standard input.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<String>,
    /// Ask what put this object on a member: KIND/NAME or KIND/NAMESPACE/NAME.
    #[arg(long, value_name = "OBJECT", conflicts_with_all = ["run", "placement", "cluster", "namespace"])]
    object: Option<Wanted>,
    #[command(flatten)]
    focus: FocusArgs,
    /// The time of capture (RFC 3339); without it the newest stamp in the bundle.
    #[arg(long, value_name = "TIME")]
    now: Option<Timestamp>,
    /// Text for people, JSON for programs, or the text of a drawing.
    #[arg(long, value_enum, default_value = "human")]
    format: TreeFormat,
    /// When to colour.
    #[arg(long, value_enum, default_value = "auto")]
    color: ColorChoice,
    /// Columns to fill; without it those of the terminal, else 100.
    #[arg(long)]
    width: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TreeFormat {
    Human,
    Json,
    Mermaid,
    Dot,
}

/// Runs the command.
pub(super) fn run(args: &TreeArgs) -> Result<Ending, Error> {
    let bundle = Bundle::open(&args.paths)?;
    let graph = graph::build(&bundle, args.now);
    let config = Config { now: args.now, ..Config::default() };
    let report = judge_graph(&bundle, &graph, &config);
    let focus = args.focus.focus();
    let forest = match &args.object {
        Some(wanted) => whence(&graph, &report, wanted),
        None => tree(&graph, &report, &focus),
    };
    output::print(&match args.format {
        TreeFormat::Human => {
            let color = output::color(args.color, Output::Standard);
            render(&forest, &graph.clock, output::columns(args.width), color)
        }
        TreeFormat::Json => render_json(&forest, &graph.clock),
        TreeFormat::Mermaid => render_mermaid(&forest, &graph.clock),
        TreeFormat::Dot => render_dot(&forest, &graph.clock),
    })?;
    Ok(if bundle.is_empty() { Ending::Nothing } else { Ending::Clean })
}
