//! What kustomize makes of files: which of them are patches, and which folders it has a hand in.
//!
//! Owns reading `kustomization.yaml` as far as that. A patch is a piece of an object, so judging it
//! alone would find everything that the rest of the object has.

use std::collections::{BTreeMap, BTreeSet};

use super::nearby::folder_of;
use crate::source::{SourceFile, Sources};
use crate::syntax::text_view::TextView;
use crate::syntax::tree::Node;
use crate::syntax::yaml::parse_manifests;

/// The lists of a kustomization that name patches.
const PATCHES: [&str; 3] = ["patches", "patchesStrategicMerge", "patchesJson6902"];

/// The lists of a kustomization that name what it takes in: files, and folders with kustomizations.
const RESOURCES: [&str; 4] = ["resources", "bases", "components", "crds"];

/// What is known of kustomize's work.
#[derive(Debug, Default)]
pub(super) struct Kustomize {
    /// Folders with a kustomization.
    folders: BTreeSet<String>,
    /// Files that are patches.
    patches: BTreeSet<String>,
    /// The kustomizations that take each file in, directly or by another.
    taking: BTreeMap<String, Vec<usize>>,
}

impl Kustomize {
    /// Reads all kustomizations among sources.
    pub(super) fn read(sources: &Sources) -> Self {
        let mut known = Self::default();
        let mut resources_of: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for source in sources.iter() {
            let (folder, name) = source.path().rsplit_once('/').unwrap_or(("", source.path()));
            if !matches!(name, "kustomization.yaml" | "kustomization.yml" | "Kustomization") {
                continue;
            }
            known.folders.insert(folder.to_owned());
            known.patches.extend(listed(source, &PATCHES).iter().map(|path| join(folder, path)));
            let resources = listed(source, &RESOURCES);
            resources_of.insert(
                folder.to_owned(),
                resources.iter().map(|path| join(folder, path)).collect(),
            );
        }
        for (index, folder) in resources_of.keys().enumerate() {
            for path in taken_in(folder, &resources_of) {
                known.taking.entry(path).or_default().push(index);
            }
        }
        known
    }

    /// Returns the kustomizations that take a file in.
    pub(super) fn taking(&self, path: &str) -> &[usize] {
        self.taking.get(path).map(Vec::as_slice).unwrap_or_default()
    }

    /// Says whether a file is a patch of something else.
    pub(super) fn is_patch(&self, path: &str) -> bool {
        self.patches.contains(path)
    }

    /// Says whether what is applied may be made of more than this file.
    pub(super) fn is_layered(&self, path: &str) -> bool {
        self.folders.contains(folder_of(path))
    }
}

/// Returns the files that a kustomization takes in, also those of the kustomizations that it names.
fn taken_in(folder: &str, resources_of: &BTreeMap<String, Vec<String>>) -> BTreeSet<String> {
    let (mut files, mut seen) = (BTreeSet::new(), BTreeSet::from([folder]));
    let mut open = vec![folder];
    while let Some(folder) = open.pop() {
        for path in resources_of.get(folder).into_iter().flatten() {
            if !resources_of.contains_key(path) {
                files.insert(path.clone());
            } else if seen.insert(path) {
                open.push(path);
            }
        }
    }
    files
}

/// Returns the paths in some lists of a kustomization.
fn listed(source: &SourceFile, lists: &[&str]) -> Vec<String> {
    let documents = parse_manifests(&TextView::whole(source, source.span()), &|_| true);
    let roots = documents.iter().filter_map(|document| document.root.as_ref());
    let lists = roots.flat_map(|root| lists.iter().filter_map(|list| root.get(list)));
    let path =
        |item: &Node| item.as_str().or_else(|| item.get("path")?.as_str()).map(str::to_owned);
    lists.flat_map(|list| list.items().iter().filter_map(path)).collect()
}

/// Joins a folder and a relative path.
fn join(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    let root = if folder.starts_with('/') { "/" } else { "" };
    format!("{root}{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_joined_to_its_folder() {
        assert_eq!(join("", "./a.yaml"), "a.yaml");
        assert_eq!(join("env/prod", "../base/a.yaml"), "env/base/a.yaml");
        assert_eq!(join("/abs", "a.yaml"), "/abs/a.yaml");
        assert_eq!(join("", "../a.yaml"), "../a.yaml");
    }
}
