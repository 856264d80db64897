//! Clusters that several runs of one placement updated, and which run took each from which, when.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use super::ResolvedFinding;
use crate::finding::Topic;
use crate::graph::Graph;
use crate::model::key::ObjectKey;
use crate::model::run::Run;

/// One cluster that several runs of a placement started.
#[derive(Clone, Debug)]
pub struct ClusterTakeover {
    /// The placement's name, with its namespace if it has one.
    pub placement: String,
    /// The cluster.
    pub cluster: String,
    /// The runs that started it, in order of time.
    pub runs: Vec<(ObjectKey, Timestamp)>,
}

/// Returns the handovers of the placements of which a finding says that runs take clusters from each other.
pub(super) fn cluster_takeovers(
    graph: &Graph,
    findings: &[ResolvedFinding],
) -> Vec<ClusterTakeover> {
    let topics = findings.iter().flat_map(|resolved| &resolved.finding.explains);
    let placements: BTreeSet<(&str, &str)> = topics
        .filter_map(|topic| match topic {
            Topic::Takeover(placement) => Some((&*placement.namespace, &*placement.name)),
            _ => None,
        })
        .collect();
    placements
        .into_iter()
        .flat_map(|(namespace, name)| of_placement(graph, namespace, name))
        .collect()
}

fn of_placement(graph: &Graph, namespace: &str, name: &str) -> Vec<ClusterTakeover> {
    let runs = graph.runs_of(namespace, name);
    let started = |run: &Run| -> Vec<(String, Timestamp)> {
        let clusters = run.stages.iter().flat_map(|stage| &stage.clusters);
        clusters.filter_map(|c| Some((c.name.to_string(), c.started()?.since?.value))).collect()
    };
    let mut by_cluster: BTreeMap<String, Vec<(Timestamp, ObjectKey)>> = BTreeMap::new();
    for run in runs {
        for (cluster, at) in started(run) {
            by_cluster.entry(cluster).or_default().push((at, run.meta.key.clone()));
        }
    }
    let placement =
        if namespace.is_empty() { name.to_owned() } else { format!("{namespace}/{name}") };
    by_cluster
        .into_iter()
        .filter(|(_, runs)| runs.len() > 1)
        .map(|(cluster, mut runs)| {
            runs.sort();
            let runs = runs.into_iter().map(|(at, key)| (key, at)).collect();
            ClusterTakeover { placement: placement.clone(), cluster, runs }
        })
        .collect()
}
