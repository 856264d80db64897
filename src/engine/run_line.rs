//! Which findings explain the state of each run.

use std::collections::BTreeMap;

use super::ResolvedFinding;
use super::verdict::Chains;
use crate::graph::{Graph, HasMeta};
use crate::model::key::ObjectKey;
use crate::model::run::Run;
use crate::views::RunLine;

/// Makes the lines of all runs, in key order.
pub fn run_lines(graph: &Graph, findings: &[ResolvedFinding]) -> Vec<RunLine> {
    let chains = Chains::of(findings);
    let by_object = chains.by_object(findings);
    let runs = graph.runs.as_slice();
    let mut named: BTreeMap<&ObjectKey, usize> = BTreeMap::new();
    runs.iter().for_each(|run| *named.entry(run.key()).or_default() += 1);
    let alone = |run: &Run| named.get(run.key()) == Some(&1);
    let lines = runs.iter().map(|run| {
        // Fragments of a ticket share a name, or have none: there only what points into the text is the run's own.
        let own = if alone(run) {
            by_object.get(run.key()).cloned().unwrap_or_default()
        } else {
            pointing_into(run, findings)
        };
        RunLine { findings: with_causes(own, findings, &chains), ..RunLine::of(run) }
    });
    lines.collect()
}

/// Returns the findings that point into the text of a run.
fn pointing_into(run: &Run, findings: &[ResolvedFinding]) -> Vec<usize> {
    let points = |resolved: &ResolvedFinding| {
        let mut places = std::iter::once(&resolved.primary).chain(&resolved.related);
        places.any(|place| run.meta.span.contains(place.span))
    };
    let own = findings.iter().enumerate().filter(|(_, resolved)| points(resolved));
    own.map(|(index, _)| index).collect()
}

/// Returns the ids of some findings and of what explains them, leading ones first.
fn with_causes(own: Vec<usize>, findings: &[ResolvedFinding], chains: &Chains) -> Vec<String> {
    let (leading, others): (Vec<usize>, Vec<usize>) =
        chains.with_causes(own).into_iter().partition(|index| chains.leads(*index));
    let all = leading.into_iter().chain(others).filter_map(|index| findings.get(index));
    all.map(|resolved| resolved.id.clone()).collect()
}
