//! The order of a report on a bundle: what matters most first, whatever rule tells it.
//!
//! Causes before symptoms; what concerns the ticket before the rest of the hub; then severity, certainty, what runs
//! suffer from, how much is explained, and what happened last. The place in the bundle decides ties, never the number of a rule.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use super::ResolvedFinding;
use super::bundle_subject::BundleSubject;
use crate::finding::{Incident, Severity, Topic};
use crate::graph::Graph;

/// Marks what concerns the rest of the hub, and brings findings into order.
pub(super) fn order(findings: &mut [ResolvedFinding], graph: &Graph, ticket: &BundleSubject) {
    for resolved in findings.iter_mut() {
        resolved.elsewhere = ticket.leaves_out(resolved, graph);
        let key = resolved.primary.object.as_ref();
        let heard = key
            .is_some_and(|key| graph.is_hearsay(key) && BundleSubject::has_placement(graph, key));
        // Of what was not asked for, a row or a log line is worth knowing and no more.
        if resolved.elsewhere && heard {
            resolved.finding.severity = Severity::Note;
        }
    }
    sort(findings, graph);
    if fold_events(findings) {
        sort(findings, graph);
    }
}

/// Folds those who suffer from the same event under the one that comes first; says whether there was one.
fn fold_events(findings: &mut [ResolvedFinding]) -> bool {
    let mut first: BTreeMap<Incident, String> = BTreeMap::new();
    let mut folded = false;
    for resolved in findings.iter_mut().filter(|it| it.explained_by.is_empty()) {
        let Some(event) = resolved.finding.incident.clone() else { continue };
        match first.get(&event) {
            Some(id) => {
                resolved.explained_by.push(id.clone());
                folded = true;
            }
            None => {
                first.insert(event, resolved.id.clone());
            }
        }
    }
    folded
}

fn sort(findings: &mut [ResolvedFinding], graph: &Graph) {
    let depths = depths(findings);
    let links = findings.iter().map(|it| (&*it.id, &*it.explained_by)).collect();
    let explained = explained(&links);
    let rank = |resolved: &ResolvedFinding| {
        let finding = &resolved.finding;
        let recent: Option<Timestamp> =
            resolved.primary.object.as_ref().and_then(|key| graph.newest_of(key));
        (
            depths.get(&*resolved.id).copied().unwrap_or_default(),
            finding.severity == Severity::Note,
            resolved.elsewhere,
            Reverse(finding.severity),
            Reverse(finding.certainty),
            !speaks_of_run(resolved),
            Reverse(explained.get(&*resolved.id).copied().unwrap_or_default()),
            Reverse(recent),
        )
    };
    let mut ranks: Vec<_> = findings.iter().map(rank).enumerate().collect();
    ranks.sort_by(|(left, one), (right, two)| {
        let place = |at: &usize| findings.get(*at).map(|it| (it.primary.span, &it.finding.message));
        one.cmp(two).then_with(|| place(left).cmp(&place(right)))
    });
    let places: Vec<usize> = ranks.into_iter().map(|(at, _)| at).collect();
    let sorted: Vec<ResolvedFinding> =
        places.iter().filter_map(|at| findings.get(*at).cloned()).collect();
    findings.iter_mut().zip(sorted).for_each(|(slot, resolved)| *slot = resolved);
}

fn speaks_of_run(resolved: &ResolvedFinding) -> bool {
    let finding = &resolved.finding;
    let mut topics = finding.about.iter().chain(&finding.explains);
    topics.any(|topic| matches!(topic, Topic::Run(_) | Topic::RunCluster(..) | Topic::Gate(..)))
}

/// Returns how far each finding is from the leading one that explains it.
fn depths(findings: &[ResolvedFinding]) -> BTreeMap<String, usize> {
    let mut depths: BTreeMap<String, usize> = BTreeMap::new();
    // Explanations have no circles, so that every round settles at least one link more.
    for _ in 0..=findings.len() {
        let mut changed = false;
        for resolved in findings {
            let causes = resolved.explained_by.iter();
            let depth = causes.map(|id| depths.get(id).copied().unwrap_or_default() + 1).max();
            let depth = depth.unwrap_or_default();
            changed |= depths.insert(resolved.id.clone(), depth) != Some(depth);
        }
        if !changed {
            break;
        }
    }
    depths
}

/// Returns how many findings each one explains, directly or through others; one that it explains on two ways counts once.
fn explained<'f>(links: &BTreeMap<&'f str, &'f [String]>) -> BTreeMap<&'f str, usize> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for causes in links.values() {
        let mut open: Vec<&str> = causes.iter().map(|id| &**id).collect();
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            *counts.entry(id).or_default() += 1;
            open.extend(links.get(id).into_iter().copied().flatten().map(|id| &**id));
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_explained_on_two_ways_counts_once() {
        let by = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>();
        let (root, one, both) = (by(&[]), by(&["root"]), by(&["left", "right"]));
        let links = [("root", &*root), ("left", &*one), ("right", &*one), ("leaf", &*both)].into();
        let expected = [("left", 1), ("right", 1), ("root", 3)];
        assert_eq!(explained(&links), expected.into());
    }
}
