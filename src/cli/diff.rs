//! `fleetlens diff`: two bundles compared by meaning.

use std::collections::BTreeSet;

use clap::{Args, ValueEnum};

use super::Ending;
use super::output::{columns, print};
use crate::bundle::Bundle;
use crate::config::Config;
use crate::engine::compare::compare;
use crate::engine::judge_graph;
use crate::error::Error;
use crate::graph::build;
use crate::model::key::ObjectKey;
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
    /// Columns to fill; default: those of the terminal, else 100.
    #[arg(long)]
    width: Option<usize>,
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
pub(super) fn run(args: &DiffArgs) -> Result<Ending, Error> {
    let report = |path: &String| -> Result<_, Error> {
        let bundle = Bundle::open(std::slice::from_ref(path))?;
        let graph = build(&bundle, None);
        let report = judge_graph(&bundle, &graph, &Config::default());
        let objects: BTreeSet<ObjectKey> = graph.sightings.keys().cloned().collect();
        Ok((report, objects, bundle.is_empty()))
    };
    let ((old, _, no_old), (new, objects, no_new)) = (report(&args.old)?, report(&args.new)?);
    if no_old || no_new {
        return Ok(Ending::Nothing);
    }
    let found = compare(&old, &new, |key| objects.contains(key));
    print(&match args.format {
        DiffFormat::Human => comparison::human(&found, columns(args.width)),
        DiffFormat::Markdown => comparison::markdown(&found),
        DiffFormat::Json => comparison::json(&found),
    })?;
    Ok(if found.new.is_empty() { Ending::Clean } else { Ending::Findings })
}
