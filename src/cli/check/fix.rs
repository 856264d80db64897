//! `--fix` and `--diff`: from texts that were mended in memory to files, or to a diff.
//!
//! Owns the care in writing: only what the user named, only regular files, each in one step, and
//! only if the file still is what was read. A file that cannot be written is told and left alone.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::{Files, git, notice};
use crate::check::FixOutcome;
use crate::cli::atomic_write;
use crate::cli::output::print;
use crate::engine::{FixedFinding, Report};
use crate::error::Error;
use crate::finding::{Finding, Safety};
use crate::report::{clean, diff};
use crate::source::{SourceFile, Sources};

/// Arguments about fixes.
#[derive(Debug, Args)]
pub(super) struct FixArgs {
    /// Repair the files: what is surely meant, or with `--fix=all` also what decides something for you.
    ///
    /// Comments, order and style stay. Every fix is proved before it is written: the file is judged
    /// again, the finding has to be gone, and there may not be more errors than before. Standard input
    /// has no file to be written: use --diff.
    #[arg(
        long,
        value_name = "WHICH",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "safe"
    )]
    fix: Option<Which>,
    /// Show what --fix would change, as a unified diff; nothing is written, and there is no report.
    #[arg(long)]
    diff: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Which {
    /// What is surely meant.
    Safe,
    /// Also what needs your consent.
    All,
}

impl FixArgs {
    /// Returns how far fixes go, if there are to be any.
    pub(super) fn reach(&self, paths: &[String]) -> Result<Option<Safety>, Error> {
        if self.fix.is_some() && !self.diff && paths.iter().any(|path| path == "-") {
            let text = "--fix writes files, and standard input is none; --diff shows the changes";
            return Err(Error::Usage(text.to_owned()));
        }
        Ok(match (self.fix, self.diff) {
            (Some(Which::All), _) => Some(Safety::Consent),
            (Some(Which::Safe), _) | (None, true) => Some(Safety::Safe),
            (None, false) => None,
        })
    }

    /// Says whether changes are shown only.
    pub(super) fn shows_only(&self) -> bool {
        self.diff
    }
}

/// Prints what differs between the files as they are and as they would be.
pub(super) fn show(files: &Files, mended: &FixOutcome) -> Result<(), Error> {
    let pairs = changed(files, &mended.sources);
    let diffs: String = pairs
        .iter()
        .map(|(old, new, _)| diff::unified(old.path(), old.text(), new.text()))
        .collect();
    let more = mended.report.fixable(Safety::Consent);
    let more = if more > 0 { format!(", {more} more with --fix=all") } else { String::new() };
    notice(&format!("{} of the findings would be fixed{more}", mended.report.fixed.len()));
    print(&if std::io::stdout().is_terminal() { diff::shown(&diffs) } else { diffs })
}

/// Writes the files that differ; returns what the files hold then, and what is found in them.
pub(super) fn write(
    files: &Files,
    mended: FixOutcome,
    judge: &dyn Fn(&Sources) -> Report,
) -> FixOutcome {
    let mut left = Vec::new();
    for (old, new, place) in changed(files, &mended.sources) {
        let written = place.ok_or_else(|| "it is no file".to_owned());
        let written = written.and_then(|place| replace(place, old.text(), new.text()));
        if let Err(why) = written {
            notice(&format!("{} is not changed: {why}", clean(old.path())));
            left.push(old.id());
        }
    }
    if left.is_empty() {
        return mended;
    }
    let mut sources = Sources::default();
    for (old, new) in files.sources.iter().zip(mended.sources.iter()) {
        let text = if left.contains(&old.id()) { old.text() } else { new.text() };
        sources.add(old.path(), old.origin().clone(), old.encoding(), text);
    }
    let mut report = judge(&sources);
    // A fix may be in another file than its finding: what is found still was not fixed.
    let found: Vec<&Finding> = report.findings.iter().map(|resolved| &resolved.finding).collect();
    let gone = |fixed: &FixedFinding| {
        !found.iter().any(|other| other.code == fixed.code && other.message == fixed.message)
    };
    let fixed: Vec<FixedFinding> = mended.report.fixed.into_iter().filter(gone).collect();
    report.fixed = fixed;
    FixOutcome { sources, report }
}

/// Returns the files whose text differs, with where they are.
fn changed<'f>(
    files: &'f Files,
    mended: &'f Sources,
) -> Vec<(&'f SourceFile, &'f SourceFile, Option<&'f PathBuf>)> {
    let pairs = files.sources.iter().zip(mended.iter()).zip(&files.places);
    pairs
        .filter(|((old, new), _)| old.text() != new.text())
        .map(|((old, new), place)| (old, new, place.as_ref()))
        .collect()
}

/// Puts another text into a file in one step, if it still holds the text that was read.
fn replace(path: &Path, old: &str, new: &str) -> Result<(), String> {
    let told = |error: std::io::Error| error.to_string();
    let target = real(path)?;
    let about = target.metadata().map_err(told)?;
    if !about.is_file() {
        return Err("it is no regular file".to_owned());
    }
    if about.permissions().readonly() {
        return Err("it may not be written".to_owned());
    }
    if read(&target).map_err(told)? != old.as_bytes() {
        return Err("it was changed by somebody else meanwhile".to_owned());
    }
    atomic_write::replace(&target, new.as_bytes()).map_err(told)
}

/// Follows a link, as long as it stays in the repository, or without one in the folder of the link.
fn real(path: &Path) -> Result<PathBuf, String> {
    let about = path.symlink_metadata().map_err(|error| error.to_string())?;
    if !about.is_symlink() {
        return Ok(path.to_owned());
    }
    let target = path.canonicalize().map_err(|error| error.to_string())?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let tree = git::root_of(folder).or_else(|| folder.canonicalize().ok());
    match tree {
        Some(tree) if target.starts_with(&tree) => Ok(target),
        _ => Err(format!("it is a link to {}, outside of the tree", target.display())),
    }
}

#[expect(clippy::disallowed_methods, reason = "the command line is where files are read")]
fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    std::fs::read(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_regular_file_is_replaced() {
        let folder = std::env::temp_dir();
        assert_eq!(replace(&folder, "", "a: b"), Err("it is no regular file".to_owned()));
    }
}
