//! Which stage of a strategy selects which cluster, for a run that could not be initialized.

use std::collections::BTreeMap;

use crate::graph::Graph;
use crate::model::run::Run;
use crate::views::plan::plans;

/// The stages of a strategy.
#[derive(Clone, Debug)]
pub struct SelectorTable {
    /// The strategy.
    pub strategy: String,
    /// Its stages, in order.
    pub rows: Vec<SelectorRow>,
    /// Clusters that no stage selects.
    pub unplaced: Vec<String>,
}

/// One stage.
#[derive(Clone, Debug)]
pub struct SelectorRow {
    /// Its name.
    pub stage: String,
    /// What it selects, in words; empty if it has no selector.
    pub selects: String,
    /// The clusters it takes.
    pub clusters: Vec<SelectedCluster>,
}

/// A cluster that a stage selects.
#[derive(Clone, Debug)]
pub struct SelectedCluster {
    /// Its name.
    pub name: String,
    /// Whether another stage selects it too.
    pub is_shared: bool,
}

/// Returns the table of a run whose strategy and clusters are known.
pub(super) fn table(graph: &Graph, run: &Run) -> Option<SelectorTable> {
    let plan = plans(graph, None)
        .plans
        .into_iter()
        .find(|plan| plan.run.as_ref() == Some(&run.meta.key))?;
    let mut count: BTreeMap<&str, usize> = BTreeMap::new();
    for cluster in plan.stages.iter().flat_map(|stage| &stage.clusters) {
        *count.entry(&cluster.name).or_default() += 1;
    }
    let rows: Vec<SelectorRow> = plan
        .stages
        .iter()
        .map(|stage| SelectorRow {
            stage: stage.name.clone(),
            selects: stage.selects.as_ref().map(|all| all.join(", ")).unwrap_or_default(),
            clusters: stage
                .clusters
                .iter()
                .map(|cluster| SelectedCluster {
                    name: cluster.name.clone(),
                    is_shared: count.get(&*cluster.name).is_some_and(|count| *count > 1),
                })
                .collect(),
        })
        .collect();
    let strategy = plan.strategy.as_ref()?.path();
    (rows.iter().any(|row| !row.clusters.is_empty())).then(|| SelectorTable {
        strategy,
        rows,
        unplaced: plan.unplaced.clone(),
    })
}
