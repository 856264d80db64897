//! Finds the files on disk: walks folders, in the order of their paths.
//!
//! Only this file and [`unpack`](super::unpack) touch the file system. Links are not followed: what a
//! link inside the bundle points to is read under its own name, and what lies outside is not the
//! bundle's. A path that the user named may be a link or a pipe.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::name::{is_junk, shown};
use super::unpack::FilePaths;
use super::{Input, InputError, Limits, ReadOutcome, UnreadFile, UnreadReason};

/// A file that is to be read.
#[derive(Debug)]
pub(super) struct DiskFile {
    pub(super) path: PathBuf,
    pub(super) place: FilePaths,
}

/// Lists all files, sorted by path and each once.
pub(super) fn gather(
    inputs: &[Input],
    limits: &Limits,
    outcome: &mut ReadOutcome,
) -> Result<Vec<DiskFile>, InputError> {
    let mut named = Vec::new();
    for input in inputs {
        if let Input::Path(path) = input {
            let metadata = fs::metadata(path)
                .map_err(|source| InputError::Unreadable { path: path.clone(), source })?;
            named.push((path, metadata.is_dir()));
        }
    }
    let base = common_folder(&named);
    let mut files = BTreeMap::new();
    for (path, is_folder) in named {
        if is_folder {
            walk(path, limits, outcome, &mut files)?;
        } else {
            files.insert(tidy(path), path.clone());
        }
    }
    let place = |(tidy, path): (PathBuf, PathBuf)| {
        let inside = tidy.strip_prefix(&base).unwrap_or(&tidy);
        DiskFile {
            path,
            place: FilePaths { path: slashed(&tidy), inside: slashed(inside), modified: None },
        }
    };
    Ok(files.into_iter().map(place).collect())
}

fn walk(
    root: &Path,
    limits: &Limits,
    outcome: &mut ReadOutcome,
    files: &mut BTreeMap<PathBuf, PathBuf>,
) -> Result<(), InputError> {
    let real_root = fs::canonicalize(root)
        .map_err(|source| InputError::Unreadable { path: root.to_owned(), source })?;
    let mut refuse = |path: &Path, reason: UnreadReason| {
        outcome.refusals.push(UnreadFile { path: slashed(&tidy(path)).into(), reason });
    };
    let mut entries = WalkDir::new(root).sort_by_file_name().into_iter();
    while let Some(entry) = entries.next() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let reason = UnreadReason::Unreadable(error.to_string().into());
                refuse(error.path().unwrap_or(root), reason);
                continue;
            }
        };
        let kind = entry.file_type();
        if entry.depth() > 0 && is_junk(&entry.file_name().to_string_lossy()) {
            outcome.tally.ignored += 1;
            if kind.is_dir() {
                entries.skip_current_dir();
            }
        } else if kind.is_symlink() && entry.depth() > 0 {
            match check_link(&entry, &real_root) {
                Ok(()) => outcome.tally.links += 1,
                Err(reason) => refuse(entry.path(), reason),
            }
        } else if kind.is_file() {
            if files.len() as u64 >= limits.entries {
                refuse(root, UnreadReason::TooManyEntries { limit: limits.entries });
                break;
            }
            files.insert(tidy(entry.path()), entry.into_path());
        } else if !kind.is_dir() && entry.depth() > 0 {
            refuse(entry.path(), UnreadReason::NotAFile);
        }
    }
    Ok(())
}

fn check_link(entry: &DirEntry, root: &Path) -> Result<(), UnreadReason> {
    let target = fs::read_link(entry.path()).unwrap_or_default();
    let target = || shown(&target.to_string_lossy()).into();
    match fs::canonicalize(entry.path()) {
        Ok(real) if real.starts_with(root) => Ok(()),
        Ok(_) => Err(UnreadReason::LinkOutside(target())),
        Err(_) => Err(UnreadReason::LinkBroken(target())),
    }
}

/// Returns the folder from which layouts are judged: what the user named still shows below it.
///
/// One folder name above a named file stays, so that `hub/a.yaml member1/b.yaml` tells the clusters.
fn common_folder(named: &[(&PathBuf, bool)]) -> PathBuf {
    let above = |path: &Path| path.parent().map(Path::to_owned).unwrap_or_default();
    let bases = named.iter().map(|(path, is_folder)| {
        let folder = above(&tidy(path));
        if *is_folder { folder } else { above(&folder) }
    });
    bases
        .reduce(|one, other| {
            let pairs = one.components().zip(other.components());
            pairs.take_while(|(a, b)| a == b).map(|(a, _)| a).collect()
        })
        .unwrap_or_default()
}

/// Spells a path that the user gave as the paths of members begin: without empty parts and dots.
pub fn spelled(path: &str) -> String {
    slashed(&tidy(Path::new(path)))
}

fn tidy(path: &Path) -> PathBuf {
    path.components().filter(|part| *part != Component::CurDir).collect()
}

fn slashed(path: &Path) -> String {
    let root = if path.has_root() { "/" } else { "" };
    let parts: Vec<_> = path
        .components()
        .filter(|part| *part != Component::RootDir)
        .map(|part| part.as_os_str().to_string_lossy())
        .collect();
    shown(&format!("{root}{}", parts.join("/")))
}
