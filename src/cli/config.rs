//! Which `fleetlens.toml` holds, and what day it is.
//!
//! Owns finding and reading the file: the nearest one from the checked paths up to the root of their
//! repository; outside a repository only the one in the current folder. What is in it is read by
//! `config`. A bundle that a customer sent never brings its own.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::output::variable;
use crate::config::{FileConfig, Pages, Policy};
use crate::error::{Error, Fault};
use crate::report::clean;
use crate::source::{Encoding, Origin, SourceFile, SourceId, Sources};

/// The name of the file.
const NAME: &str = "fleetlens.toml";

/// The variable that says where the pages of rules stand.
const PAGES: &str = "FLEETLENS_PAGES";

/// Files that steer the tool and are larger are none.
const LARGEST: u64 = 4 << 20;

/// Arguments about the configuration.
#[derive(Debug, Args)]
pub(super) struct ConfigArgs {
    /// The configuration; without it the nearest fleetlens.toml up to the root of the repository.
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    pub(super) config: Option<PathBuf>,
    /// Use no configuration.
    #[arg(long)]
    no_config: bool,
}

impl ConfigArgs {
    /// Finds the file for some checked paths, `root` being that of their repository.
    pub(super) fn find(&self, paths: &[String], root: Option<&Path>) -> Option<PathBuf> {
        if self.no_config || self.config.is_some() {
            return self.config.clone();
        }
        let Some(root) = root else {
            return Some(PathBuf::from(NAME)).filter(|path| path.is_file());
        };
        let nearest = common_folder(paths)?;
        let folders = nearest.ancestors().take_while(|folder| folder.starts_with(root));
        folders.map(|folder| folder.join(NAME)).find(|path| path.is_file())
    }
}

/// Returns the deepest folder that all paths lie in.
fn common_folder(paths: &[String]) -> Option<PathBuf> {
    let folder = |path: &String| {
        let path = Path::new(if path == "-" { "." } else { path }).canonicalize().ok()?;
        if path.is_dir() { Some(path) } else { path.parent().map(Path::to_owned) }
    };
    let mut folders = paths.iter().filter_map(folder);
    let mut common = folders.next()?;
    for folder in folders {
        while !folder.starts_with(&common) {
            common = common.parent()?.to_owned();
        }
    }
    Some(common)
}

/// Reads a file that steers the tool into `sources`.
#[expect(clippy::disallowed_methods, reason = "the command line is where files are read")]
pub(super) fn read_steering(path: &Path, sources: &mut Sources) -> Result<SourceId, Error> {
    let fail = |source| Error::Read { path: path.to_owned(), source };
    if std::fs::metadata(path).map_err(fail)?.len() > LARGEST {
        return Err(Error::Usage(format!("{} is too large to be read", path.display())));
    }
    let text = std::fs::read_to_string(path).map_err(fail)?;
    let here = std::env::current_dir().unwrap_or_default();
    let name = path.strip_prefix(&here).unwrap_or(path).display().to_string();
    Ok(sources.add(name, Origin::default(), Encoding::Utf8, text))
}

/// Parses a file that steers the tool and was read into `sources`.
pub(super) fn parse_steering<T>(
    path: &Path,
    id: SourceId,
    sources: &mut Sources,
    parse: impl FnOnce(&SourceFile) -> Result<T, Vec<Fault>>,
) -> Result<T, Error> {
    parse(sources.get(id)).map_err(|faults| Error::Faulty {
        path: path.to_owned(),
        faults,
        sources: Box::new(std::mem::take(sources)),
    })
}

/// Reads a configuration that the user named, for a command that finds none by itself.
pub(super) fn read_config(path: &Path) -> Result<FileConfig, Error> {
    let mut sources = Sources::default();
    let id = read_steering(path, &mut sources)?;
    parse_steering(path, id, &mut sources, FileConfig::parse)
}

/// Tells on standard error which entries of a configuration do nothing.
pub(super) fn tell_lapsed(path: &Path, policy: &Policy) {
    for ignore in &policy.ignores {
        let why = match ignore.expires {
            _ if ignore.find_rule().is_none() => "there is no such rule".to_owned(),
            Some((last, _)) if policy.is_expired(ignore) => format!("it held until {last}"),
            _ => continue,
        };
        let rule = clean(&ignore.rule);
        let text =
            format!("fleetlens: {}: the entry for {rule} does nothing: {why}", path.display());
        // Nothing is left to do if even that cannot be told.
        let _ = writeln!(std::io::stderr(), "{text}");
    }
}

/// Returns where the pages of rules stand: as the environment says, else the configuration, else the build.
pub(super) fn find_pages(configured: Option<Pages>) -> Result<Pages, Error> {
    match variable(PAGES) {
        Some(address) => Pages::new(&address)
            .map_err(|why| Error::Usage(format!("{PAGES} is no address: {why}"))),
        None => Ok(configured.unwrap_or_else(Pages::of_build)),
    }
}

/// Returns the day on which entries may expire: as given, else today.
pub(super) fn today(given: Option<Timestamp>) -> Date {
    given.unwrap_or_else(Timestamp::now).to_zoned(TimeZone::UTC).date()
}
