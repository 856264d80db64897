//! Which cluster a file is of: folders, file names and contexts matched against the clusters that the bundle
//! itself names.
//!
//! A context is called `member1-admin`, a folder `aks-member1`, a file `member1-pods.yaml`. The candidates are
//! the names of MemberClusters and the clusters of bindings and Works.
//! Invariant: a name that fits two candidates, or none, stays as it was.

use std::collections::BTreeSet;

use smol_str::SmolStr;

use crate::bundle::Bundle;
use crate::model::key::HUB;
use crate::model::work::MEMBER_NAMESPACE;
use crate::syntax::Document;
use crate::syntax::tree::Node;

/// The member clusters that a bundle names.
#[derive(Debug, Default)]
pub(super) struct ClusterNames {
    names: BTreeSet<String>,
    /// How many folders all files have in common: they are the bundle's, and name no cluster of a file.
    shared: usize,
}

impl ClusterNames {
    /// Collects the names from the objects of the hub.
    pub(super) fn of(bundle: &Bundle) -> Self {
        let documents = bundle.parsed.iter().flat_map(|parsed| &parsed.documents);
        let names = documents.filter_map(named_by).filter(|name| !name.is_empty()).collect();
        let sources = bundle.sources.as_slice().iter();
        Self { names, shared: shared_folders(sources.map(|source| source.path())) }
    }

    /// Returns the cluster that a context or folder stands for: a name that is known, else as it was.
    pub(super) fn resolve(&self, told: &str) -> SmolStr {
        if told == HUB || self.names.contains(told) {
            return told.into();
        }
        self.find_within(told).unwrap_or(told).into()
    }

    /// Finds the cluster of a file by its path, from the inside out.
    pub(super) fn find_by_path(&self, path: &str) -> Option<&str> {
        let own = parts(path).into_iter().skip(self.shared);
        // The namespace of a member is on the hub.
        let own = own.filter(|part| !part.contains(MEMBER_NAMESPACE)).collect::<Vec<_>>();
        own.into_iter().rev().find_map(|part| {
            let whole = self.names.get(part).map(String::as_str);
            whole.or_else(|| self.find_within(part))
        })
    }

    /// Finds the only known name that stands within a word, set off on both sides; the longest where one is part
    /// of another.
    fn find_within(&self, word: &str) -> Option<&str> {
        let longest = self.all_within(word).into_iter().max_by_key(|name| (name.len(), *name))?;
        // A shorter one may stand in the longest (`member` in `member-eu`), not beside it.
        let rest = word.replace(longest, " ");
        self.all_within(&rest).is_empty().then_some(longest)
    }

    /// Finds the known names that stand in a word, with no letter or digit beside them.
    ///
    /// Looks at the pieces of the word, not at the names: of those there may be thousands.
    fn all_within(&self, word: &str) -> Vec<&str> {
        let apart = |c: Option<char>| c.is_none_or(|c| !c.is_ascii_alphanumeric());
        let places = || word.char_indices().map(|(at, _)| at).chain([word.len()]);
        let starts = places().filter(|at| apart(word[..*at].chars().next_back()));
        let ends: Vec<usize> = places().filter(|at| apart(word[*at..].chars().next())).collect();
        let pieces = starts.flat_map(|from| {
            let ends = ends.iter().filter(move |to| from + SHORTEST <= **to);
            ends.filter_map(move |to| word.get(from..*to))
        });
        let known = pieces.filter_map(|piece| self.names.get(piece)).map(String::as_str);
        known.filter(|name| is_telling(name)).collect()
    }
}

/// The shortest name that is looked for within a word.
const SHORTEST: usize = 4;

/// Says whether a name within a word means its cluster: a plain word (`prod`, `edge`) is in too many names.
fn is_telling(name: &str) -> bool {
    name.len() >= SHORTEST && name.contains(|c: char| c.is_ascii_digit() || c == '-')
}

fn parts(path: &str) -> Vec<&str> {
    path.split(['/', '\\']).collect()
}

/// Counts the folders that all paths begin with.
fn shared_folders<'p>(paths: impl Iterator<Item = &'p str>) -> usize {
    let mut folders = paths.map(|path| {
        let mut folders = parts(path);
        folders.pop();
        folders
    });
    let Some(first) = folders.next() else { return 0 };
    let common = |count: usize, other: Vec<&str>| {
        first.iter().zip(&other).take(count).take_while(|(left, right)| left == right).count()
    };
    folders.fold(first.len(), common)
}

/// Returns the cluster that an object of the hub is about.
fn named_by(document: &Document) -> Option<String> {
    let (kind, head) = (document.head.kind.as_deref()?, &document.head);
    match kind {
        "MemberCluster" => head.name.as_deref().map(str::to_owned),
        "Work" | "InternalMemberCluster" => {
            head.namespace.as_deref()?.strip_prefix(MEMBER_NAMESPACE).map(str::to_owned)
        }
        "ClusterResourceBinding" | "ResourceBinding" => {
            let target = document.root.as_ref()?.at(&["spec", "targetCluster"]);
            target.and_then(Node::as_str).map(str::to_owned)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{ClusterNames, shared_folders};

    fn names(names: &[&str]) -> ClusterNames {
        ClusterNames { names: names.iter().map(|name| (*name).to_owned()).collect(), shared: 1 }
    }

    #[test]
    fn a_context_stands_for_the_cluster_in_its_name() {
        let known = names(&["member1", "member10", "member-eu", "prod"]);
        for (told, cluster) in [
            ("member1-admin", "member1"),
            ("aks-member1", "member1"),
            ("aks_member10_admin", "member10"),
            ("member-eu", "member-eu"),
            ("member2-admin", "member2-admin"),
            ("xmember1", "xmember1"),
            // Two members, or a word that is in many names: it stays as it was.
            ("member1-to-member10", "member1-to-member10"),
            ("prod-admin", "prod-admin"),
            ("hub", "hub"),
        ] {
            assert_eq!(&*known.resolve(told), cluster, "{told}");
        }
    }

    #[test]
    fn folders_of_all_files_are_the_bundle() {
        assert_eq!(shared_folders(["a/b/c.yaml", "a/b/d/e.yaml"].into_iter()), 2);
        assert_eq!(shared_folders(["a/b/c.yaml", "x.yaml"].into_iter()), 0);
        assert_eq!(shared_folders(["a/c.yaml"].into_iter()), 1);
    }

    #[test]
    fn a_path_names_the_cluster_from_the_inside_out() {
        let known = names(&["member1", "member2"]);
        for (path, cluster) in [
            ("ticket/member1-pods.yaml", Some("member1")),
            ("ticket/aks-member2/pods.yaml", Some("member2")),
            ("ticket/member1/notes/member2-pods.yaml", Some("member2")),
            // The first folder is the bundle's own.
            ("member1-ticket/pods.yaml", None),
            ("ticket/fleet-member-member1/secrets.yaml", None),
            ("ticket/pods.yaml", None),
            ("ticket/member1-member2.yaml", None),
        ] {
            assert_eq!(known.find_by_path(path), cluster, "{path}");
        }
    }
}
