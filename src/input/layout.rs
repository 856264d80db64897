//! Where a file comes from, by its path: cluster, namespace, pod, container.
//!
//! The knowledge is data (`layout/table.rs`); here it is applied. Some rows need to know what else is
//! there (a folder is a member cluster's only if there is a `hub` beside it, say), so all paths go into
//! the [`Survey`] before the first of them is placed.
//! Invariant: without a row that justifies it, the cluster stays unknown.

mod pattern;
mod table;

use std::collections::{BTreeMap, BTreeSet};

use crate::source::Origin;
use pattern::{Captures, match_path};
use smol_str::SmolStr;
use table::{
    HUB, HUB_FOLDERS, INSIDE_CLUSTER, LOOSE, LayoutRow, MEMBER_FOLDERS, MEMBERS, NOT_A_NAME,
    PACKED, PROOFS, Proof, ROWS, WORKLOADS,
};

/// The deepest folder that is looked at: paths are hostile, and no layout is that deep.
const DEEPEST: usize = 40;
/// Bytes of folder names that are kept; what comes after has no part in the proofs.
const ROOM: usize = 512 << 20;

/// What is known of one folder.
#[derive(Debug, Default)]
struct Folder {
    first: Option<SmolStr>,
    several: bool,
    has_hub: bool,
    is_hub: bool,
    is_member: bool,
    is_cluster: bool,
}

/// All paths seen so far, and what they prove.
#[derive(Debug, Default)]
pub(super) struct Survey {
    files: BTreeSet<String>,
    folders: BTreeMap<String, Folder>,
    members: BTreeSet<String>,
    spent: usize,
}

impl Survey {
    /// Takes note of a path.
    pub(super) fn add(&mut self, path: &str) {
        let path = unpacked(path);
        let parts = split(&path);
        self.spent = self.spent.saturating_add(path.len() * parts.len());
        if self.spent > ROOM {
            return;
        }
        for (at, part) in parts.iter().enumerate() {
            let leaf = at + 1 == parts.len();
            let folder = self.folders.entry(join(&parts, at)).or_default();
            folder.several |= folder.first.as_deref().is_some_and(|first| first != *part);
            folder.first.get_or_insert_with(|| (*part).into());
            // An archive is a folder to be: only its own listing shows what is in it.
            folder.has_hub |= (!leaf || path_is_packed(part)) && HUB_FOLDERS.contains(&stem(part));
            let rest = parts.get(at..).unwrap_or_default();
            for (proof, pattern) in PROOFS {
                if match_path(pattern, rest).is_some() {
                    match proof {
                        Proof::Hub => folder.is_hub = true,
                        Proof::Member => folder.is_member = true,
                        Proof::Cluster => folder.is_cluster = true,
                    }
                }
            }
            folder.is_cluster |= leaf && is_workload_file(part);
            let members = MEMBERS.iter().filter_map(|pattern| match_path(pattern, rest));
            self.members.extend(members.flatten().map(|(_, member)| member.to_owned()));
        }
        self.files.insert(path);
    }

    /// Says where a file comes from.
    pub(super) fn place(&self, path: &str) -> Origin {
        let path = unpacked(path);
        let parts = split(&path);
        let mut origin = self.place_file(&parts).unwrap_or_default();
        if origin.cluster.is_none() {
            origin.cluster = self.cluster_of(&parts, origin.layout).map(Into::into);
            if origin.cluster.is_some() {
                origin.layout.get_or_insert("folders");
            }
        }
        origin
    }

    fn place_file(&self, parts: &[&str]) -> Option<Origin> {
        ROWS.iter().find_map(|row| {
            (0..parts.len()).find_map(|at| {
                let captures = match_path(row.path, parts.get(at..)?)?;
                let beside = row.beside.is_none_or(|beside| {
                    self.files.contains(&format!("{}{}", join(parts, at), fill(beside, &captures)))
                });
                beside.then(|| origin_of(row, &captures))
            })
        })
    }

    fn cluster_of<'p>(&self, parts: &[&'p str], layout: Option<&str>) -> Option<&'p str> {
        let folders = parts.split_last().map_or(parts, |(_, folders)| folders);
        let inside = folders.iter().position(|part| INSIDE_CLUSTER.contains(part));
        let folders = folders.get(..inside.unwrap_or(folders.len())).unwrap_or_default();
        if folders.iter().any(|part| HUB_FOLDERS.contains(&stem(part))) {
            return Some(HUB);
        }
        // What a tool wrote is of one cluster; what else lies in the folder may be of any.
        let by_tool = layout.is_some_and(|layout| layout != LOOSE);
        // From the inside out: a member's folder may stand inside what is otherwise the hub's.
        (0..=folders.len()).rev().find_map(|end| {
            let folder = self.folders.get(&join(folders, end))?;
            if by_tool && folder.is_hub {
                return Some(HUB);
            }
            self.member_at(folder, folders, end)
        })
    }

    /// Says whether the first `end` parts are the folder of a member cluster, and of which.
    fn member_at<'p>(&self, folder: &Folder, parts: &[&'p str], end: usize) -> Option<&'p str> {
        let name = stem(parts.get(end.checked_sub(1)?)?);
        let parent = self.folders.get(&join(parts, end - 1))?;
        let known = self.members.contains(name);
        let under_members =
            end > 1 && parts.get(end - 2).is_some_and(|part| MEMBER_FOLDERS.contains(&stem(part)));
        let looks = folder.is_member || folder.is_cluster;
        let placed = looks && (parent.has_hub || under_members);
        // Alone in its folder, it may just be the name of the bundle.
        let proven = folder.is_member && parent.several;
        let is_member =
            known && (looks || parent.has_hub) || (placed || proven) && may_be_name(name);
        is_member.then_some(name)
    }
}

fn origin_of(row: &LayoutRow, captures: &Captures<'_>) -> Origin {
    let mut origin = Origin {
        cluster: row.cluster.map(Into::into),
        container: row.container.map(Into::into),
        previous: row.previous,
        layout: Some(row.layout),
        ..Origin::default()
    };
    for &(name, text) in captures {
        match name {
            "cluster" if HUB_FOLDERS.contains(&text) => origin.cluster = Some(HUB.into()),
            "cluster" => origin.cluster = Some(text.into()),
            "namespace" => origin.namespace = Some(text.into()),
            "member" => origin.namespace = Some(format!("fleet-member-{text}").into()),
            "pod" => origin.pod = Some(text.into()),
            "container" => origin.container = Some(text.into()),
            _ => {}
        }
    }
    origin
}

fn fill(pattern: &str, captures: &Captures<'_>) -> String {
    captures
        .iter()
        .fold(pattern.to_owned(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
}

/// Takes the packing off the file's own name: rows speak of `x.log`, the file is `x.log.gz`.
fn unpacked(path: &str) -> String {
    let plain = [".gz", ".zst"].iter().find_map(|ending| path.strip_suffix(ending));
    match plain {
        Some(plain) if !path_is_packed(plain) && !plain.ends_with('/') => plain.to_owned(),
        _ => path.to_owned(),
    }
}

fn path_is_packed(name: &str) -> bool {
    PACKED.iter().any(|ending| name.ends_with(ending))
}

fn stem(name: &str) -> &str {
    PACKED.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name)
}

fn split(path: &str) -> Vec<&str> {
    path.split('/').take(DEEPEST).collect()
}

/// Returns the key of a folder: its parts, each with a slash.
fn join(parts: &[&str], end: usize) -> String {
    parts.iter().take(end).flat_map(|part| [part, "/"]).collect()
}

fn is_workload_file(name: &str) -> bool {
    let word = name.split(['.', '-']).next().unwrap_or_default();
    word.len() < name.len() && WORKLOADS.contains(&word)
}

fn may_be_name(name: &str) -> bool {
    !name.split(['-', '_', '.', ' ']).any(|word| NOT_A_NAME.contains(&word.to_lowercase().as_str()))
}

#[cfg(test)]
mod tests;
