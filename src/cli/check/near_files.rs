//! Reads no more of a repository than a check needs.
//!
//! Most commits are in order, so what stands near the judged files is judged first; the whole repository is read only where
//! something is left that it could excuse.

use std::path::{Path, PathBuf};

use ignore::DirEntry;

use super::files::{Files, place_of, walk_of};
use crate::engine::Report;
use crate::manifest::{FileRole, Repository, find_near};
use crate::rule::Rule;
use crate::rules::find_rule;
use crate::source::{Encoding, Origin};

impl Files {
    /// Returns these files, and those of a repository that may be applied together with what is judged.
    pub(super) fn with_near(&self, root: &Path) -> Self {
        // On one thread, and names only: most files are far, and nothing more is asked of them.
        let walk = walk_of(root).build().filter_map(Result::ok);
        let listed: Vec<DirEntry> =
            walk.filter(|entry| self.has_wanted_name(entry.path())).collect();
        let names: Vec<String> = listed.iter().map(|entry| self.name_of(entry.path())).collect();
        let base = root.canonicalize().ok();
        let read = |entry: &DirEntry| {
            let found = self.take_entry(entry, place_of(entry, root, base.as_deref()))?;
            Some((found.path, found.place, found.bytes.ok()?))
        };
        let judged = self.sources.iter().zip(&self.roles);
        let judged = judged.filter(|(_, role)| **role == FileRole::Judged);
        let judged: Vec<&str> = judged.map(|(source, _)| source.path()).collect();
        let mut told = self.sources.copy();
        for (entry, name) in listed.iter().zip(&names) {
            let stem = Path::new(entry.file_name()).file_stem();
            if stem.is_some_and(|stem| stem.eq_ignore_ascii_case("kustomization"))
                && let Some((_, _, bytes)) = read(entry)
            {
                let text = String::from_utf8_lossy(&bytes).into_owned();
                told.add(&**name, Origin::default(), Encoding::Utf8, text);
            }
        }
        let near = find_near(&judged, &told, &names);
        let near = listed.iter().zip(near).filter_map(|(entry, near)| near.then_some(entry));
        let mut found: Vec<_> = near.filter_map(read).collect();
        found.sort_by(|(left, ..), (right, ..)| left.cmp(right));
        let mut files = self.fork();
        for (path, place, bytes) in found {
            files.take(&path, place, FileRole::Context, bytes);
        }
        files
    }

    /// Returns the same files once more.
    fn fork(&self) -> Self {
        Self {
            sources: self.sources.copy(),
            roles: self.roles.clone(),
            places: self.places.clone(),
            unread: self.unread.clone(),
            known: self.known.clone(),
            here: self.here.clone(),
            excluded: self.excluded.clone(),
            markdown: self.markdown,
            stdin_filename: self.stdin_filename.clone(),
        }
    }
}

/// Says whether nothing that stands elsewhere would change a judgement.
pub(super) fn is_settled(repository: &Repository, report: &Report) -> bool {
    let by_itself = |code: &str| {
        let family = find_rule(code).and_then(Rule::family);
        family.is_some_and(|family| family.needs_one_manifest)
    };
    report.suppressed.is_empty()
        && report.findings.iter().all(|found| by_itself(found.finding.code))
        && !repository.may_be_accused_from_afar()
}

/// Returns the repository whose rest may be left out: what is asked for needs the judged files alone.
pub(super) fn narrowed(root: Option<&PathBuf>, needs_all: bool) -> Option<&Path> {
    root.filter(|_| !needs_all).map(PathBuf::as_path)
}
