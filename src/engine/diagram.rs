//! [`Diagram`]: what a report draws of its first cause, as plain data; formats draw it.
//!
//! Owns the choice of the picture, which follows from what the cause explains: runs that take clusters from each
//! other are lanes over time, a gate is a card, a run that could not be initialized is a table of its stages, and any
//! other run is a board of its stages. A hub on which much is wrong is a list of causes.

mod board;
mod causes;
mod chains;
mod gate;
mod lanes;
mod selectors;

use std::collections::BTreeMap;

pub use board::{Board, BoardCluster, BoardStage, ClusterProgress};
pub use causes::{CauseList, CauseRow};
pub use gate::GateCard;
pub use lanes::{Bar, Lane, Lanes};
pub use selectors::{SelectedCluster, SelectorRow, SelectorTable};

use super::{ResolvedFinding, Verdict};
use crate::finding::Topic;
use crate::graph::Graph;
use crate::model::key::ObjectKey;
use crate::model::run::Run;

/// From so many causes, and runs and placements that are not well, a hub is busy.
const BUSY: usize = 4;

/// What a report draws.
#[derive(Clone, Debug)]
pub enum Diagram {
    /// Runs of one placement over clusters and time.
    Lanes(Lanes),
    /// The stages of a run with their clusters.
    Board(Board),
    /// A gate, and what would open it.
    Gate(GateCard),
    /// Which stage selects which cluster.
    Selectors(SelectorTable),
    /// Causes with what they hold up.
    Causes(CauseList),
}

/// Chooses the picture of the first cause; where much is wrong, or nothing else is to be drawn, the list of causes.
pub(super) fn diagram(
    graph: &Graph,
    findings: &[ResolvedFinding],
    verdict: &Verdict,
) -> Option<Diagram> {
    let list = || causes::list(findings, verdict).map(Diagram::Causes);
    if verdict.causes.len() >= BUSY && verdict.unwell.len() >= BUSY {
        return list();
    }
    let several =
        verdict.causes.len() > 1 || verdict.causes.iter().any(|it| it.all_holds().len() > 1);
    of_first(graph, findings, verdict).or_else(|| list().filter(|_| several))
}

fn of_first(graph: &Graph, findings: &[ResolvedFinding], verdict: &Verdict) -> Option<Diagram> {
    let cause = verdict.causes.first()?;
    let own = findings.get(cause.finding)?;
    let symptoms = cause.symptoms.iter().filter_map(|index| findings.get(*index));
    let topics: Vec<&Topic> = std::iter::once(own)
        .chain(symptoms)
        .flat_map(|it| it.finding.explains.iter().chain(&it.finding.about))
        .collect();
    let takeover = topics.iter().find_map(|topic| match topic {
        Topic::Takeover(placement) => Some(placement),
        _ => None,
    });
    if let Some(lanes) = takeover.and_then(|placement| lanes::lanes(graph, placement)) {
        return Some(Diagram::Lanes(lanes));
    }
    let gate = topics.iter().find_map(|topic| match topic {
        Topic::Gate(run, stage, side) => Some((run, stage, *side)),
        _ => None,
    });
    if let Some(card) =
        gate.and_then(|(run, stage, side)| gate::card(graph, graph.runs.find(run)?, stage, side))
    {
        return Some(Diagram::Gate(card));
    }
    let held = cause.holds.iter().filter_map(|index| verdict.unwell.get(*index));
    let run = held.map(|standing| &standing.object).chain(topics.iter().filter_map(run_of));
    let run = run.into_iter().find_map(|key| graph.runs.find(key))?;
    match run.stages.is_empty() {
        true => selectors::table(graph, run).map(Diagram::Selectors),
        false => {
            let chains = chains::of_run(run, findings, verdict);
            board::board(run, &numbers(run, findings, verdict), chains).map(Diagram::Board)
        }
    }
}

fn run_of<'t>(topic: &&'t Topic) -> Option<&'t ObjectKey> {
    match topic {
        Topic::Run(run) | Topic::RunCluster(run, _) => Some(run),
        _ => None,
    }
}

/// Returns the number of the cause that holds up each cluster of a run.
fn numbers(run: &Run, findings: &[ResolvedFinding], verdict: &Verdict) -> BTreeMap<String, usize> {
    let mut numbers = BTreeMap::new();
    for (index, cause) in verdict.causes.iter().enumerate() {
        let own = cause
            .members()
            .flat_map(|it| std::iter::once(it.finding).chain(it.symptoms.iter().copied()));
        let told = own.filter_map(|index| findings.get(index));
        for topic in told.flat_map(|it| it.finding.explains.iter().chain(&it.finding.about)) {
            let cluster = match topic {
                Topic::RunCluster(key, cluster) if *key == run.meta.key => Some(cluster),
                Topic::PlacementCluster(placement, cluster)
                    if Some(&*placement.name) == run.placement.as_deref()
                        && &*placement.namespace == run.meta.namespace() =>
                {
                    Some(cluster)
                }
                _ => None,
            };
            if let Some(cluster) = cluster {
                numbers.entry(cluster.to_string()).or_insert(index + 1);
            }
        }
    }
    numbers
}
