//! Reading no more of a repository than a check needs.
//!
//! Most commits are in order, so what stands near the judged files is judged first; the whole repository is read only where
//! something is left that it could excuse.

use std::path::{Path, PathBuf};

use super::files::Files;
use crate::engine::Report;
use crate::manifest::{Repository, Role, find_near};
use crate::source::{Encoding, Origin};

/// The beginning of the codes of what a manifest says by itself, wherever it stands.
const OF_ITS_SHAPE: &str = "FL10";

impl Files {
    /// Returns these files, and those of a repository that may be applied together with what is judged.
    pub(super) fn with_near(&self, root: &Path) -> Self {
        let mut listed = self.entries(root, &|entry| {
            let (entry, place) = entry.ok()?;
            self.is_wanted(entry.path(), place.as_deref()).then_some((entry, place))
        });
        listed.sort_by(|(left, _), (right, _)| left.path().cmp(right.path()));
        let names: Vec<String> =
            listed.iter().map(|(entry, _)| self.name_of(entry.path())).collect();
        let judged = self.sources.iter().zip(&self.roles);
        let judged = judged.filter(|(_, role)| **role == Role::Judged);
        let judged: Vec<&str> = judged.map(|(source, _)| source.path()).collect();
        let mut told = self.sources.copy();
        for ((entry, place), name) in listed.iter().zip(&names) {
            let is_kustomization = |stem: &str| stem.eq_ignore_ascii_case("kustomization");
            let stem = entry.path().file_stem().and_then(|stem| stem.to_str());
            if stem.is_some_and(is_kustomization)
                && let Some(bytes) =
                    self.take_entry(entry, place.clone()).and_then(|it| it.bytes.ok())
            {
                let text = String::from_utf8_lossy(&bytes).into_owned();
                told.add(&**name, Origin::default(), Encoding::Utf8, text);
            }
        }
        let near = find_near(&judged, &told, &names);
        let mut files = self.fork();
        for ((entry, place), _) in listed.into_iter().zip(near).filter(|(_, near)| *near) {
            if let Some(found) = self.take_entry(&entry, place)
                && let Ok(bytes) = found.bytes
            {
                files.take(&found.path, found.place, Role::Context, bytes);
            }
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
    let by_itself = |code: &str| code.starts_with(OF_ITS_SHAPE);
    report.suppressed.is_empty()
        && report.findings.iter().all(|found| by_itself(found.finding.code))
        && !repository.may_be_accused_from_afar()
}

/// Returns the repository whose rest may be left out: what is asked for needs the judged files alone.
pub(super) fn narrowed(root: Option<&PathBuf>, needs_all: bool) -> Option<&Path> {
    root.filter(|_| !needs_all).map(PathBuf::as_path)
}
