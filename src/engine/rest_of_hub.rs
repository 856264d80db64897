//! [`RestOfHub`]: counts of the runs on the hub that the bundle is not about.

use std::collections::BTreeMap;

use super::RunLine;
use super::bundle_subject::BundleSubject;
use crate::graph::Graph;

/// What a bundle shows of a hub beside the rollout that it is about.
#[derive(Clone, Debug, Default)]
pub struct RestOfHub {
    /// How many runs are in which state.
    pub runs: Vec<(&'static str, usize)>,
}

impl RestOfHub {
    /// Counts the runs that do not belong to the ticket.
    pub(super) fn of(runs: &[RunLine], ticket: &BundleSubject, graph: &Graph) -> Self {
        let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
        for run in runs.iter().filter(|run| ticket.leaves_out_run(graph, &run.object)) {
            *counts.entry(run.state).or_default() += 1;
        }
        Self { runs: counts.into_iter().collect() }
    }
}
