//! Marks nodes of the tree with the findings about them, by topic and by the object that a finding points into.
//!
//! A finding stands at the deepest nodes that it names: one about a run's cluster is not told again at
//! the run. In a tree that leads up from an object it is the other way round: the node next to the
//! object has it.

use std::collections::{BTreeMap, BTreeSet};

use super::{Report, ResolvedFinding};
use crate::config::Focus;
use crate::finding::{Finding, Topic};
use crate::graph::Graph;
use crate::views::tree::{FleetTree, ObjectQuery, TreeMark, TreeNode, provenance, tree};

/// Returns the tree of what the focus names, or the provenance of an object, with the findings of a report at their nodes.
pub fn marked_tree(
    graph: &Graph,
    report: &Report,
    focus: &Focus,
    object: Option<&ObjectQuery>,
) -> FleetTree {
    let findings = &report.findings;
    match object {
        Some(wanted) => {
            let mut forest = provenance(graph, wanted);
            mark_provenance(&mut forest, findings);
            forest
        }
        None => {
            let mut forest = tree(graph, focus);
            mark_tree(&mut forest, findings, focus);
            forest
        }
    }
}

/// Marks all nodes of a tree, and where all of the fleet is shown lists the findings that no node holds.
fn mark_tree(forest: &mut FleetTree, findings: &[ResolvedFinding], focus: &Focus) {
    let index = index(findings);
    let mut held = BTreeSet::new();
    for root in &mut forest.roots {
        held.extend(mark_branch(root, findings, &index));
    }
    if focus.is_empty() {
        let missing = findings.iter().enumerate().filter(|(at, _)| !held.contains(at));
        forest.elsewhere = missing.map(|(_, resolved)| mark_of(resolved)).collect();
    }
}

/// Marks a branch and returns the findings that it holds.
fn mark_branch(
    branch: &mut TreeNode,
    findings: &[ResolvedFinding],
    index: &Index,
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

/// Marks a tree that leads up from an object.
fn mark_provenance(forest: &mut FleetTree, findings: &[ResolvedFinding]) {
    let index = index(findings);
    for root in &mut forest.roots {
        mark_down(root, findings, &index, &BTreeSet::new());
    }
}

fn mark_down(
    branch: &mut TreeNode,
    findings: &[ResolvedFinding],
    index: &Index,
    told: &BTreeSet<usize>,
) {
    let named = branch.topics.iter().filter_map(|topic| index.get(topic)).flatten();
    let own: BTreeSet<usize> = named.copied().filter(|at| !told.contains(at)).collect();
    branch.marks = own.iter().filter_map(|at| findings.get(*at)).map(mark_of).collect();
    let told = &own | told;
    for child in &mut branch.children {
        mark_down(child, findings, index, &told);
    }
}

/// The findings by what they name.
type Index = BTreeMap<Topic, Vec<usize>>;

fn index(findings: &[ResolvedFinding]) -> Index {
    let mut index = Index::new();
    for (at, resolved) in findings.iter().enumerate() {
        let object = resolved.primary.object.clone().map(Topic::Object);
        for topic in named(&resolved.finding).cloned().chain(object) {
            index.entry(topic).or_default().push(at);
        }
    }
    index
}

/// Returns what a finding is about; a cause also is about the objects that it explains.
fn named(finding: &Finding) -> impl Iterator<Item = &Topic> {
    let objects = finding.explains.iter().filter(|topic| matches!(topic, Topic::Object(_)));
    finding.about.iter().chain(objects)
}

fn mark_of(resolved: &ResolvedFinding) -> TreeMark {
    let finding = &resolved.finding;
    TreeMark { id: resolved.id.clone(), code: finding.code, severity: finding.severity }
}
