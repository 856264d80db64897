//! Many bundles at once: every one of a folder judged on its own, one line of JSON each.
//!
//! A line is printed as soon as it is known, so that a folder of any size needs the memory of its largest bundle. What
//! cannot be judged gets a line as well, and does not stop the others.

use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};

use super::{AnalyzeArgs, ending_of};
use crate::bundle::Bundle;
use crate::cli::Exit;
use crate::cli::unreadable::no_capture;
use crate::config::Config;
use crate::engine::{Provenance, judge_graph};
use crate::error::Error;
use crate::finding::Severity;
use crate::graph;
use crate::report::ndjson;
use crate::source::Sources;

/// Judges the bundles of some folders, by name.
pub(super) fn run(args: &AnalyzeArgs, config: &Config, fail_on: Severity) -> Result<Exit, Error> {
    let mut worst = Exit::Nothing;
    for folder in &args.paths {
        for path in bundles_in(Path::new(folder))? {
            let input = path.display().to_string();
            let name = name_of(Path::new(folder), &path);
            // A bundle that breaks the tool costs its own line, not those of the others.
            let judged = std::panic::catch_unwind(AssertUnwindSafe(|| {
                judge_one(args, &input, &name, config, fail_on)
            }));
            let outcome = match judged {
                Ok(Ok(outcome)) => outcome,
                Ok(Err(Error::Write { path, source })) => {
                    return Err(Error::Write { path, source });
                }
                Ok(Err(error)) => {
                    let line = ndjson::without_report(&name, "failed", &error.to_string());
                    args.output.emit(&line, &Sources::default())?;
                    Exit::Incomplete
                }
                Err(_) => {
                    let line =
                        ndjson::without_report(&name, "failed", "the tool itself is at fault");
                    args.output.emit(&line, &Sources::default())?;
                    Exit::Incomplete
                }
            };
            worst = if rank(outcome) > rank(worst) { outcome } else { worst };
        }
    }
    Ok(worst)
}

/// Orders endings: the worst of all bundles is that of the command.
fn rank(ending: Exit) -> usize {
    match ending {
        Exit::Nothing => 0,
        Exit::Clean => 1,
        Exit::Findings => 2,
        Exit::Incomplete => 3,
    }
}

/// Judges one bundle and prints its line.
fn judge_one(
    args: &AnalyzeArgs,
    input: &str,
    name: &str,
    config: &Config,
    fail_on: Severity,
) -> Result<Exit, Error> {
    let paths = [input.to_owned()];
    let bundle = Bundle::open(&paths)?;
    if let Some(why) = no_capture(&bundle, &paths) {
        args.output.emit(&ndjson::without_report(name, "nothing", &why), &bundle.sources)?;
        return Ok(Exit::Nothing);
    }
    let graph = graph::build(&bundle, args.now);
    args.redact.apply(&bundle, &graph)?;
    let mut report = judge_graph(&bundle, &graph, config);
    report.provenance = Some(Provenance { inputs: bundle.digests(), flags: args.flags() });
    args.output.emit(&ndjson::line(name, &report, &bundle.sources), &bundle.sources)?;
    Ok(ending_of(args, &bundle, &report, fail_on))
}

/// Returns the name of a bundle: that of the folder that was given and its own, without the way to them.
fn name_of(folder: &Path, bundle: &Path) -> String {
    let own = bundle.file_name().unwrap_or_default().to_string_lossy();
    let folder = folder.file_name().map(|name| format!("{}/", name.to_string_lossy()));
    format!("{}{own}", folder.unwrap_or_default())
}

/// Returns what lies in a folder, by name; hidden files are no bundles.
fn bundles_in(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let told = |source| Error::Read { path: folder.to_owned(), source };
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(told)? {
        let entry = entry.map_err(told)?;
        if !entry.file_name().to_string_lossy().starts_with('.') {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}
