//! The order of a report on a bundle: what matters most first, whatever rule tells it.
//!
//! Causes before symptoms; what concerns the ticket before the rest of the hub; then severity, certainty, what runs
//! suffer from, how much is explained, and what happened last. The place in the bundle decides ties, never the number of a rule.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use jiff::Timestamp;

use super::ResolvedFinding;
use super::bundle_subject::BundleSubject;
use super::finding_places::FindingPlaces;
use super::resolve::depths;
use crate::finding::{Incident, Severity, Topic};
use crate::graph::Graph;

/// Marks what concerns the rest of the hub, and brings findings into order.
pub(super) fn order(findings: &mut Vec<ResolvedFinding>, graph: &Graph, ticket: &BundleSubject) {
    for resolved in findings.iter_mut() {
        resolved.elsewhere = ticket.leaves_out(resolved, graph);
        let key = resolved.primary.object.as_ref().filter(|_| resolved.elsewhere);
        let heard = key
            .is_some_and(|key| graph.is_hearsay(key) && BundleSubject::has_placement(graph, key));
        // Of what was not asked for, a row or a log line is worth knowing and no more.
        if heard {
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

fn sort(findings: &mut Vec<ResolvedFinding>, graph: &Graph) {
    let links = links(findings);
    let (depths, explained) = (depths(&links), explained(&links));
    let rank = |(at, resolved): (usize, &ResolvedFinding)| {
        let finding = &resolved.finding;
        let recent: Option<Timestamp> =
            resolved.primary.object.as_ref().and_then(|key| graph.newest_of(key));
        (
            depths.get(at).copied().unwrap_or_default(),
            finding.severity == Severity::Note,
            resolved.elsewhere,
            Reverse(finding.severity),
            Reverse(finding.certainty),
            !speaks_of_run(resolved),
            Reverse(explained.get(at).copied().unwrap_or_default()),
            Reverse(recent),
        )
    };
    let mut ranks: Vec<_> = findings.iter().enumerate().map(|it| (it.0, rank(it))).collect();
    ranks.sort_by(|(left, one), (right, two)| {
        let place = |at: &usize| findings.get(*at).map(|it| (it.primary.span, &it.finding.message));
        one.cmp(two).then_with(|| place(left).cmp(&place(right)))
    });
    // Findings are large: each is moved once, to where it belongs.
    let mut slots: Vec<_> = std::mem::take(findings).into_iter().map(Some).collect();
    findings.extend(ranks.iter().filter_map(|(at, _)| slots.get_mut(*at)?.take()));
}

fn speaks_of_run(resolved: &ResolvedFinding) -> bool {
    let finding = &resolved.finding;
    let mut topics = finding.about.iter().chain(&finding.explains);
    topics.any(|topic| matches!(topic, Topic::Run(_) | Topic::RunCluster(..) | Topic::Gate(..)))
}

/// Returns, for each finding, the places of those that explain it; one that is not shown has none in the report.
fn links(findings: &[ResolvedFinding]) -> Vec<Vec<usize>> {
    let places = FindingPlaces::of(findings);
    let place = |id: &String| places.get(id).unwrap_or(usize::MAX);
    let causes = |it: &ResolvedFinding| it.explained_by.iter().map(place).collect();
    findings.iter().map(causes).collect()
}

/// Returns how many findings each one explains, directly or through others; one that it explains on two ways counts once.
fn explained(links: &[Vec<usize>]) -> Vec<usize> {
    let mut counts = vec![0; links.len()];
    // The finding for which each one was met last: nothing has to be cleared in between.
    let mut met = vec![usize::MAX; links.len()];
    let mut open: Vec<usize> = Vec::new();
    for (from, causes) in links.iter().enumerate() {
        open.extend(causes);
        while let Some(at) = open.pop() {
            match met.get_mut(at) {
                Some(last) if *last != from => *last = from,
                _ => continue,
            }
            counts.get_mut(at).into_iter().for_each(|count| *count += 1);
            open.extend(links.get(at).into_iter().flatten());
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_explained_on_two_ways_counts_once() {
        let [root, left, right] = [0, 1, 2];
        let links = [vec![], vec![root], vec![root], vec![left, right]];
        assert_eq!(explained(&links), [3, 1, 1, 0]);
    }
}
