//! What of a repository a check has to read: often no more than what stands near the judged files.
//!
//! What stands elsewhere can excuse (the placement that a run names is there after all), and in a few cases accuse. So where
//! nothing near is left to be excused and nothing judged is of those cases, the rest of a repository need not be read.

use std::collections::BTreeSet;

use super::definition::needs_definition;
use super::kustomize::Kustomize;
use super::repository::Repository;
use crate::grammar::kind::Kind;
use crate::source::Sources;

/// Says of each of some files whether it may be applied together with a judged one, be it by way of others.
///
/// `told` holds all kustomizations that there are.
pub fn find_near(judged: &[String], told: &Sources, others: &[&str]) -> Vec<bool> {
    let kustomize = Kustomize::read(told);
    let mut folders: BTreeSet<&str> = BTreeSet::new();
    let mut kustomizations: BTreeSet<usize> = BTreeSet::new();
    for path in judged {
        folders.insert(folder_of(path));
        kustomizations.extend(kustomize.taking(path));
    }
    let mut near = vec![false; others.len()];
    loop {
        let mut grown = false;
        for (path, near) in others.iter().zip(&mut near).filter(|(_, near)| !**near) {
            let taking = kustomize.taking(path);
            if folders.contains(folder_of(path))
                || taking.iter().any(|one| kustomizations.contains(one))
            {
                *near = true;
                grown |= folders.insert(folder_of(path));
                kustomizations.extend(taking);
                grown |= !taking.is_empty();
            }
        }
        if !grown {
            return near;
        }
    }
}

/// Returns the folder of a path, empty for one that names none.
pub fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

impl Repository {
    /// Says whether something that stands elsewhere could accuse what is judged: what is patched and placed is looked for
    /// everywhere, a label of a cluster may move it in any run, and a definition tells where objects of a kind live.
    pub fn may_be_accused_from_afar(&self) -> bool {
        self.judged().any(|manifest| match manifest.family() {
            Some(Kind::Override | Kind::MemberCluster) => true,
            Some(Kind::Placement) => needs_definition(manifest),
            _ => false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Encoding, Origin};

    #[test]
    fn near_is_a_folder_and_what_kustomize_joins_to_it() {
        let mut told = Sources::default();
        for (path, text) in [
            ("prod/kustomization.yaml", "resources: [../base/a.yaml, b.yaml]\n"),
            ("test/kustomization.yaml", "resources: [c.yaml]\n"),
        ] {
            told.add(path, Origin::default(), Encoding::Utf8, text);
        }
        let others = ["base/z.yaml", "prod/b.yaml", "prod/d.yaml", "test/c.yaml", "e.yaml"];
        let near = find_near(&["base/a.yaml".to_owned()], &told, &others);
        assert_eq!(near, [true, true, true, false, false]);
        assert_eq!(
            find_near(&["e.yaml".to_owned()], &told, &others),
            [false, false, false, false, true]
        );
    }
}
