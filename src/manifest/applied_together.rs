//! [`AppliedTogether`]: which manifests of a repository are applied to the same hub.
//!
//! Owns that judgement: all that is stored on one hub, what one kustomization takes in, the files of one
//! folder. A folder that defines one object twice holds alternatives, of which one is applied. What stands
//! elsewhere in a repository may be for another hub, so nothing is concluded from it.

use std::collections::{BTreeMap, BTreeSet};

use smol_str::SmolStr;

use super::kustomize::Kustomize;
use super::nearby::folder_of;
use super::repository::{FileRole, Surroundings};
use super::{Manifest, Repository};
use crate::kube::spelling::nearest_name;
use crate::source::{SourceId, Sources, Span};

/// The ways in which files are applied together.
#[derive(Debug, Default)]
pub(super) struct AppliedTogether {
    /// The folder of each file.
    folders: BTreeMap<SourceId, SmolStr>,
    /// Folders that hold alternatives.
    alternatives: BTreeSet<SmolStr>,
    /// The kustomizations that take each file in.
    kustomizations: BTreeMap<SourceId, Vec<usize>>,
}

impl AppliedTogether {
    /// Looks at all files, and at what they define.
    pub(super) fn read(sources: &Sources, manifests: &[Manifest], kustomize: &Kustomize) -> Self {
        let mut known = Self::default();
        for source in sources.iter() {
            let folder = folder_of(source.path());
            known.folders.insert(source.id(), folder.into());
            let taken = kustomize.taking(source.path());
            if !taken.is_empty() {
                known.kustomizations.insert(source.id(), taken.to_vec());
            }
        }
        let mut defined = BTreeMap::new();
        let present =
            |manifest: &&Manifest| matches!(manifest.role, FileRole::Judged | FileRole::Context);
        for manifest in manifests.iter().filter(present) {
            let source = manifest.span.source;
            let Some(folder) = known.folders.get(&source) else { continue };
            let first = *defined.entry((folder.clone(), &manifest.key)).or_insert(source);
            if first != source {
                known.alternatives.insert(folder.clone());
            }
        }
        known
    }

    fn holds(&self, left: SourceId, right: SourceId) -> bool {
        let kustomizations =
            |id| self.kustomizations.get(&id).map(Vec::as_slice).unwrap_or_default();
        let folder = self.folders.get(&left);
        left == right
            || kustomizations(left).iter().any(|one| kustomizations(right).contains(one))
            || folder == self.folders.get(&right)
                && folder.is_some_and(|folder| !self.alternatives.contains(folder))
    }
}

impl Repository {
    /// Says whether what stands at two places is applied together, as far as can be told.
    pub fn is_together(&self, left: Span, right: Span) -> bool {
        match self.setting.surroundings {
            Surroundings::Repository => self.together.holds(left.source, right.source),
            Surroundings::Stored | Surroundings::Unknown => true,
        }
    }

    /// Finds the object of a kind whose name somebody probably meant, among what is applied together with a place.
    pub fn nearest(&self, at: Span, kind: &str, namespace: &str, name: &str) -> Option<&str> {
        let there = self.present().filter(|other| {
            *other.key.kind == *kind
                && *other.key.namespace == *namespace
                && self.is_together(at, other.span)
        });
        nearest_name(name, there.map(|other| &*other.key.name))
    }

    /// Says whether two places are in files of one folder.
    pub fn is_same_folder(&self, left: Span, right: Span) -> bool {
        self.together.folders.get(&left.source) == self.together.folders.get(&right.source)
    }

    /// Finds an object in the namespace of another that is applied together with it.
    pub fn find_beside(&self, beside: &Manifest, kind: &str, name: &str) -> Option<&Manifest> {
        self.find_all(kind, &beside.key.namespace, name)
            .find(|found| self.is_together(beside.span, found.span))
    }
}
