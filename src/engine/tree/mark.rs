//! From findings to nodes: by what they are about, and by the object that they point into.
//!
//! A finding stands at the deepest nodes that it names: one about a run's cluster is not told again at
//! the run.

use std::collections::{BTreeMap, BTreeSet};

use super::{Branch, Mark};
use crate::engine::Resolved;
use crate::finding::Topic;

/// Marks all nodes and returns the findings that no node holds.
pub(super) fn mark(roots: &mut [Branch], findings: &[Resolved]) -> Vec<Mark> {
    let mut index: BTreeMap<Topic, Vec<usize>> = BTreeMap::new();
    for (at, resolved) in findings.iter().enumerate() {
        let object = resolved.primary.object.clone().map(Topic::Object);
        for topic in resolved.finding.about.iter().cloned().chain(object) {
            index.entry(topic).or_default().push(at);
        }
    }
    let mut held = BTreeSet::new();
    for root in roots {
        held.extend(mark_branch(root, findings, &index));
    }
    let missing = findings.iter().enumerate().filter(|(at, _)| !held.contains(at));
    missing.map(|(_, resolved)| mark_of(resolved)).collect()
}

/// Marks a branch and returns the findings that it holds.
fn mark_branch(
    branch: &mut Branch,
    findings: &[Resolved],
    index: &BTreeMap<Topic, Vec<usize>>,
) -> BTreeSet<usize> {
    let mut held = BTreeSet::new();
    for child in &mut branch.children {
        held.append(&mut mark_branch(child, findings, index));
    }
    let named = branch.topics.iter().filter_map(|topic| index.get(topic)).flatten();
    let own: BTreeSet<usize> = named.copied().filter(|at| !held.contains(at)).collect();
    branch.marks = own.iter().filter_map(|at| findings.get(*at)).map(mark_of).collect();
    held.extend(own);
    held
}

fn mark_of(resolved: &Resolved) -> Mark {
    let finding = &resolved.finding;
    Mark { id: resolved.id.clone(), code: finding.code, severity: finding.severity }
}
