//! `fleetlens plan`: which cluster lands in which stage, before anything runs.

use clap::{Args, ValueEnum};

use super::outcome::OutcomeArgs;
use super::output::{Output, StyleArgs};
use super::progress::Progress;
use super::redact::RedactOption;
use super::unreadable::open_filled;
use super::{Exit, output};
use crate::bundle::Bundle;
use crate::error::Error;
use crate::graph;
use crate::redact::Names;
use crate::report::plan::{render, render_json};
use crate::views::plan::{Plan, plans};

/// Arguments of `plan`.
#[derive(Debug, Args)]
pub(super) struct PlanArgs {
    /// Manifests or captures: folders, archives, files, or `-` for standard input.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<String>,
    /// A dump of member clusters, for their labels.
    #[arg(long, value_name = "FILE")]
    members: Vec<String>,
    /// Text for people, or JSON for programs.
    #[arg(short = 'o', long, value_enum, default_value = "human")]
    format: PlanFormat,
    #[command(flatten)]
    redact: RedactOption,
    #[command(flatten)]
    outcome: OutcomeArgs,
    #[command(flatten)]
    style: StyleArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PlanFormat {
    Human,
    Json,
}

/// Runs the command.
pub(super) fn run(args: &PlanArgs) -> Result<Exit, Error> {
    let progress = Progress::start("reading");
    let bundle = open_filled(&args.paths, &progress)?;
    let graph = graph::build(&bundle, None);
    let more = if args.members.is_empty() { None } else { Some(Bundle::open(&args.members)?) };
    let more = more.map(|bundle| (graph::build(&bundle, None), bundle));
    args.redact.apply_with(&[&bundle.sources], || {
        let mut names = Names::of(&bundle, &graph);
        more.iter().for_each(|(graph, bundle)| names.extend(Names::of(bundle, graph)));
        names
    })?;
    let found = plans(&graph, more.as_ref().map(|(graph, _)| graph));
    drop(progress);
    match args.format {
        _ if args.outcome.quiet => {}
        PlanFormat::Human => {
            let text = render(&found, args.style.look(Output::Standard).width);
            args.style.publish(&text, &bundle.sources)?;
        }
        PlanFormat::Json => output::publish(&render_json(&found), &bundle.sources)?,
    }
    Ok(if found.plans.is_empty() && found.succeeded == 0 {
        Exit::Nothing
    } else {
        let wrong = |plan: &Plan| plan.missing.is_some() || !plan.problems.is_empty();
        args.outcome.ending(found.plans.iter().any(wrong))
    })
}
