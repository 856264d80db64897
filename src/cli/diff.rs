//! `fleetlens diff`: two bundles compared by meaning.

use clap::{Args, ValueEnum};

use super::Exit;
use super::outcome::OutcomeArgs;
use super::output::{Output, StyleArgs, publish};
use super::progress::Progress;
use super::redact::RedactOption;
use super::unreadable::open_filled;
use crate::config::Config;
use crate::engine::compare::compare;
use crate::engine::judge_graph;
use crate::error::Error;
use crate::graph::build;
use crate::redact::Names;
use crate::report::comparison;

/// Arguments of `diff`.
#[derive(Debug, Args)]
pub(super) struct DiffArgs {
    /// The older bundle: directory, archive or file.
    #[arg(value_name = "OLD")]
    old: String,
    /// The newer bundle.
    #[arg(value_name = "NEW")]
    new: String,
    /// Format of the comparison.
    #[arg(long, short = 'o', value_enum, default_value = "human")]
    format: DiffFormat,
    #[command(flatten)]
    redact: RedactOption,
    #[command(flatten)]
    outcome: OutcomeArgs,
    #[command(flatten)]
    style: StyleArgs,
}

/// How a comparison is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DiffFormat {
    /// For people.
    Human,
    /// For a ticket.
    Markdown,
    /// For programs.
    Json,
}

/// Runs the command; it exits with 1 if the newer bundle has a cause that the older one has not.
pub(super) fn run(args: &DiffArgs) -> Result<Exit, Error> {
    let progress = Progress::start("reading the bundles");
    let report = |path: &String| -> Result<_, Error> {
        let bundle = open_filled(std::slice::from_ref(path), &progress)?;
        let graph = build(&bundle, None);
        let report = judge_graph(&bundle, &graph, &Config::default());
        Ok((report, graph, bundle))
    };
    let ((old, old_graph, old_bundle), (new, graph, bundle)) =
        (report(&args.old)?, report(&args.new)?);
    args.redact.apply_with(&[&old_bundle.sources, &bundle.sources], || {
        let mut names = Names::of(&old_bundle, &old_graph);
        names.extend(Names::of(&bundle, &graph));
        names
    })?;
    let found = compare(&old, &new, |key| graph.sightings.contains_key(key));
    let inputs = [old_bundle.digests(), bundle.digests()];
    let inputs = inputs.each_ref().map(Vec::as_slice);
    // What the older bundle alone holds of Secrets is hidden before, since one text is made of both.
    drop(progress);
    match args.format {
        _ if args.outcome.quiet => {}
        DiffFormat::Human => {
            let text = comparison::human(&found, args.style.look(Output::Standard).width);
            args.style.publish(&old_bundle.sources.hide_known(&text), &bundle.sources)?;
        }
        DiffFormat::Markdown | DiffFormat::Json => {
            let text = match args.format {
                DiffFormat::Json => comparison::json(&found, inputs),
                _ => comparison::markdown(&found, inputs),
            };
            publish(&old_bundle.sources.hide_known(&text), &bundle.sources)?;
        }
    }
    Ok(args.outcome.ending(!found.new.is_empty()))
}
