//! Who took which cluster from whom, and when: drawn where runs of one placement met.

use jiff::Timestamp;

use super::Resolved;
use crate::graph::Graph;
use crate::model::key::ObjectKey;
use crate::model::run::Run;

/// One cluster that several runs of a placement started.
#[derive(Clone, Debug)]
pub struct Handover {
    /// The placement's name, with its namespace if it has one.
    pub placement: String,
    /// The cluster.
    pub cluster: String,
    /// The runs that started it, in order of time.
    pub runs: Vec<(ObjectKey, Timestamp)>,
}

/// Returns the handovers of the placements that a finding about pre-emption concerns.
pub(super) fn handovers(graph: &Graph, findings: &[Resolved]) -> Vec<Handover> {
    let clash = findings.iter().filter(|resolved| resolved.finding.code.starts_with("FL03"));
    let objects: Vec<&ObjectKey> = clash
        .flat_map(|resolved| std::iter::once(&resolved.primary).chain(&resolved.related))
        .filter_map(|place| place.object.as_ref())
        .collect();
    let mut placements: Vec<(&str, &str)> = graph
        .runs
        .as_slice()
        .iter()
        .filter(|run| objects.contains(&&run.meta.key))
        .filter_map(|run| Some((run.meta.namespace(), run.placement.as_deref()?)))
        .collect();
    placements.sort_unstable();
    placements.dedup();
    placements
        .into_iter()
        .flat_map(|(namespace, name)| of_placement(graph, namespace, name))
        .collect()
}

fn of_placement(graph: &Graph, namespace: &str, name: &str) -> Vec<Handover> {
    let runs = graph.runs_of(namespace, name);
    let started = |run: &Run| -> Vec<(String, Timestamp)> {
        let clusters = run.stages.iter().flat_map(|stage| &stage.clusters);
        clusters.filter_map(|c| Some((c.name.to_string(), c.started()?.since?.value))).collect()
    };
    let mut by_cluster: std::collections::BTreeMap<String, Vec<(Timestamp, ObjectKey)>> =
        Default::default();
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
            Handover { placement: placement.clone(), cluster, runs }
        })
        .collect()
}
