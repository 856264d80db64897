//! `fleetlens redact`: a bundle that can be shared; and `--redact`, the same for a report.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::atomic_write::{keep_apart, write_file};
use super::{Exit, output};
use crate::bundle::Bundle;
use crate::error::Error;
use crate::graph::{self, Graph};
use crate::input::{Input, InputFile, Limits, read_inputs, spelled};
use crate::redact::{Names, Redactor};
use crate::source::Sources;

/// Arguments of `redact`.
#[derive(Debug, Args)]
pub(super) struct RedactArgs {
    /// Directories, archives, files, or `-` for standard input.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<String>,
    /// Where to write the redacted bundle, a `.tgz`.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Record in this file which name became which, and reuse what it holds. Do not share it.
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,
}

/// The option of every report.
#[derive(Debug, Args)]
pub(super) struct RedactOption {
    /// Replace names by pseudonyms, and mask addresses and ids, in all output.
    #[arg(long)]
    redact: bool,
    /// With --redact: record in this file which name became which, and reuse what it holds.
    #[arg(long, value_name = "FILE", requires = "redact")]
    map: Option<PathBuf>,
}

impl RedactOption {
    /// Says whether names are to be replaced.
    pub(super) fn is_asked(&self) -> bool {
        self.redact
    }

    /// Has everything that is shown of a bundle rewritten, if that was asked for.
    pub(super) fn apply(&self, bundle: &Bundle, graph: &Graph) -> Result<(), Error> {
        self.apply_with(&[&bundle.sources], || Names::of(bundle, graph))
    }

    /// Has everything that is shown of some sources rewritten by one set of names, if that was asked for.
    pub(super) fn apply_with(
        &self,
        sources: &[&Sources],
        names: impl FnOnce() -> Names,
    ) -> Result<(), Error> {
        if !self.redact {
            return Ok(());
        }
        let redactor = Arc::new(make(&names(), self.map.as_deref())?);
        for sources in sources {
            let redactor = Arc::clone(&redactor);
            sources.rewrite_by(Box::new(move |text| {
                let other = redactor.text(text);
                redactor.leak(&other).map_or(Ok(other), Err)
            }));
        }
        Ok(())
    }
}

/// Runs the command: nothing is written if a name is still in what would be.
pub(super) fn run(args: &RedactArgs) -> Result<Exit, Error> {
    keep_apart(&[&args.output], &args.paths)?;
    let bundle = Bundle::open(&args.paths)?;
    let graph = graph::build(&bundle, None);
    let redactor = make(&Names::of(&bundle, &graph), args.map.as_deref())?;
    let mut files: Vec<(String, String)> = Vec::new();
    let given: Vec<Input> = args.paths.iter().map(Input::from).collect();
    let mut left = 0;
    let mut sink = |member: InputFile<'_>| {
        let path = inside(member.path, &args.paths);
        match member.body.into_text() {
            Some(text) => {
                files.push((redactor.text(&path), redactor.file(&text.text, &bundle.sources)))
            }
            None => left += 1,
        }
    };
    let outcome = read_inputs(&given, &Limits::default(), &mut sink)?;
    for (path, text) in &files {
        let line = redactor.leak(path).map(|_| 0).or_else(|| redactor.leak(text));
        let place = match line {
            None => continue,
            Some(0) => "the path of a file".to_owned(),
            Some(line) => format!("line {line} of {path}"),
        };
        return Err(Error::Usage(format!("a name is still in {place}: nothing was written")));
    }
    write_file(
        &args.output,
        &pack(&files).map_err(|source| Error::Write { path: args.output.clone(), source })?,
    )?;
    let dropped = outcome.refusals.len() as u64 + outcome.tally.binary + left;
    let text = format!(
        "{} files, {} names replaced; {dropped} files that are no readable text were left out\n",
        files.len(),
        redactor.map().len(),
    );
    output::print(&text)?;
    Ok(if files.is_empty() { Exit::Nothing } else { Exit::Clean })
}

/// Gives names pseudonyms, with those of an earlier map, and keeps the map.
fn make(names: &Names, map: Option<&Path>) -> Result<Redactor, Error> {
    let earlier = map.filter(|path| path.exists()).map(read_map).transpose()?.unwrap_or_default();
    let redactor = Redactor::new(names, earlier);
    if let Some(path) = map {
        let text = serde_json::to_string_pretty(redactor.map()).unwrap_or_default();
        write_file(path, text.as_bytes())?;
    }
    Ok(redactor)
}

#[expect(clippy::disallowed_methods, reason = "the command line is where files are read")]
fn read_map(path: &Path) -> Result<BTreeMap<String, String>, Error> {
    let text = std::fs::read_to_string(path);
    let text = text.map_err(|source| Error::Read { path: path.to_owned(), source })?;
    let wrong = |error| Error::Usage(format!("{} is no map of names: {error}", path.display()));
    serde_json::from_str(&text).map_err(wrong)
}

/// Returns the path of a member below what the user named, by which it is told where it comes from.
fn inside(path: &str, given: &[String]) -> String {
    let below = |given: &String| {
        let given = spelled(given);
        let rest = match path.strip_prefix(&given)? {
            rest if given.is_empty() || rest.is_empty() => rest,
            rest => rest.strip_prefix('/')?,
        };
        Some((given.len(), rest))
    };
    let (length, rest) = given.iter().filter_map(below).max().unwrap_or((path.len(), ""));
    let mut above: Vec<&str> = path.get(..length).unwrap_or(path).split('/').collect();
    // Of a file that was named the folder may tell the cluster; of several folders each has its name.
    let kept = match (given.len(), rest.is_empty()) {
        (1, true) | (2.., false) => 1,
        (1, false) => 0,
        _ => 2,
    };
    let mut parts = above.split_off(above.len().saturating_sub(kept));
    parts.push(rest);
    parts.retain(|part| !part.is_empty() && *part != "..");
    parts.join("/")
}

/// Packs texts into a gzipped tar that is the same for the same texts.
fn pack(files: &[(String, String)]) -> std::io::Result<Vec<u8>> {
    let mut tar = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::default()));
    for (path, text) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        header.set_mtime(0);
        tar.append_data(&mut header, path, text.as_bytes())?;
    }
    let mut packed = tar.into_inner()?;
    packed.flush()?;
    packed.finish()
}

#[cfg(test)]
mod tests {
    use super::inside;

    #[test]
    fn a_member_keeps_its_place_however_the_input_was_named() {
        for given in ["a/b", "./a/b", "a//b/", "a/./b"] {
            assert_eq!(inside("a/b/member1/x.yaml", &[given.to_owned()]), "member1/x.yaml");
        }
        assert_eq!(inside("hub/x.yaml", &[".".to_owned()]), "hub/x.yaml");
        assert_eq!(inside("a/x.yaml", &["a/x.yaml".to_owned()]), "x.yaml");
        let two = ["a/hub/x.yaml".to_owned(), "b/member1".to_owned()];
        assert_eq!(inside("a/hub/x.yaml", &two), "hub/x.yaml");
        assert_eq!(inside("b/member1/y.yaml", &two), "member1/y.yaml");
        assert_eq!(inside("../up/x.tgz/y", &["../up/x.tgz".to_owned()]), "y");
    }
}
