//! Runs of one placement over clusters and time: who held which cluster when.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::graph::Graph;
use crate::model::key::ObjectKey;
use crate::model::run::{ClusterStatus, Run};

/// Clusters, and who held them when.
#[derive(Clone, Debug)]
pub struct Lanes {
    /// The placement.
    pub placement: String,
    /// The runs that have a bar, in order of their first one.
    pub runs: Vec<String>,
    /// The first moment.
    pub from: Timestamp,
    /// The last moment.
    pub to: Timestamp,
    /// One per cluster.
    pub lanes: Vec<Lane>,
}

/// One cluster.
#[derive(Clone, Debug)]
pub struct Lane {
    /// Its name.
    pub cluster: String,
    /// Who held it, in order of time.
    pub bars: Vec<Bar>,
}

/// A run at work on a cluster.
#[derive(Clone, Debug)]
pub struct Bar {
    /// The run's place in [`Lanes::runs`].
    pub run: usize,
    /// When the run took the cluster.
    pub from: Timestamp,
    /// Until when; `None` if it was under way when the bundle was captured.
    pub to: Option<Timestamp>,
    /// Whether the run lost the cluster.
    pub lost: bool,
}

/// Returns the lanes of a placement, if at least two of its runs started a cluster.
pub(super) fn lanes(graph: &Graph, placement: &ObjectKey) -> Option<Lanes> {
    let mut bars: Vec<(Timestamp, String, Bar, String)> = Vec::new();
    for run in graph.runs_of(&placement.namespace, &placement.name) {
        for cluster in run.stages.iter().flat_map(|stage| &stage.clusters) {
            let Some(from) = since(cluster, "Started") else { continue };
            let lost = cluster.failed().is_some();
            let ended = run.failure().and_then(|failure| failure.since).map(|since| since.value);
            let to = since(cluster, "Succeeded").or(ended.filter(|ended| *ended >= from));
            let bar = Bar { run: 0, from, to, lost: lost || is_lost(run, cluster) };
            bars.push((from, run.meta.key.path(), bar, cluster.name.to_string()));
        }
    }
    bars.sort_by(|left, right| (left.0, &left.1, &left.3).cmp(&(right.0, &right.1, &right.3)));
    let mut runs: Vec<String> = Vec::new();
    let mut lanes: BTreeMap<String, Vec<Bar>> = BTreeMap::new();
    for (_, run, bar, cluster) in bars {
        let known = runs.iter().position(|known| *known == run);
        let index = known.unwrap_or(runs.len());
        if known.is_none() {
            runs.push(run);
        }
        lanes.entry(cluster).or_default().push(Bar { run: index, ..bar });
    }
    // A cluster that none of them has started has a lane, too.
    for run in graph.runs_of(&placement.namespace, &placement.name) {
        for cluster in run.stages.iter().flat_map(|stage| &stage.clusters) {
            lanes.entry(cluster.name.to_string()).or_default();
        }
    }
    let all = || lanes.values().flatten();
    let from = all().map(|bar| bar.from).min()?;
    let last = all().map(|bar| bar.to.unwrap_or(bar.from)).max()?;
    let to = graph.clock.now.map_or(last, |now| now.max(last));
    let lanes = lanes.into_iter().map(|(cluster, bars)| Lane { cluster, bars }).collect();
    (runs.len() > 1).then(|| Lanes { placement: placement.path(), runs, from, to, lanes })
}

fn since(cluster: &ClusterStatus, kind: &str) -> Option<Timestamp> {
    let condition = cluster.condition(kind)?;
    // A cluster that was lost says so by a false Succeeded, whose stamp is the loss.
    (kind == "Succeeded" || condition.is_true()).then_some(condition.since?.value)
}

/// Says whether a run failed while it was at work on the cluster.
fn is_lost(run: &Run, cluster: &ClusterStatus) -> bool {
    run.failure().is_some() && cluster.is_in_flight()
}
