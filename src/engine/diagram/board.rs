//! The stages of a run with their clusters: what is done, what waits and for which cause.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::model::run::{ClusterStatus, DELETE_STAGE, Run};

/// The stages of a run.
#[derive(Clone, Debug)]
pub struct Board {
    /// The run.
    pub run: String,
    /// Its stages, in order.
    pub stages: Vec<BoardStage>,
    /// For each cause that holds it up, the way from the run to the cause, object by object.
    pub chains: Vec<Vec<String>>,
}

/// One stage.
#[derive(Clone, Debug)]
pub struct BoardStage {
    /// Its name.
    pub name: String,
    /// When it started.
    pub started: Option<Timestamp>,
    /// When it ended.
    pub ended: Option<Timestamp>,
    /// Its clusters, in order.
    pub clusters: Vec<BoardCluster>,
}

/// One cluster of a stage.
#[derive(Clone, Debug)]
pub struct BoardCluster {
    /// Its name.
    pub name: String,
    /// How far it is.
    pub progress: ClusterProgress,
    /// Since when the cluster has been in this state.
    pub since: Option<Timestamp>,
    /// The number of the cause that holds it up.
    pub cause: Option<usize>,
}

/// How far a cluster is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClusterProgress {
    /// It is updated.
    Updated,
    /// The run lost it.
    Failed,
    /// The run works on it.
    Started,
    /// Its turn has not come.
    NotStarted,
}

impl ClusterProgress {
    /// Returns the words of a report.
    pub fn words(self) -> &'static str {
        match self {
            Self::Updated => "updated",
            Self::Failed => "failed",
            Self::Started => "not finished",
            Self::NotStarted => "not started",
        }
    }
}

/// Returns the board of a run that has clusters.
pub(super) fn board(
    run: &Run,
    causes: &BTreeMap<String, usize>,
    chains: Vec<Vec<String>>,
) -> Option<Board> {
    let stages: Vec<BoardStage> = run
        .all_stages()
        .filter(|stage| !stage.clusters.is_empty())
        .map(|stage| BoardStage {
            name: match stage.name() {
                DELETE_STAGE => "deletion".to_owned(),
                name => name.to_owned(),
            },
            started: stage.start.map(|at| at.value),
            ended: stage.end.map(|at| at.value),
            clusters: stage.clusters.iter().map(|cluster| card(cluster, causes)).collect(),
        })
        .collect();
    (!stages.is_empty()).then(|| Board { run: run.meta.key.path(), stages, chains })
}

fn card(cluster: &ClusterStatus, causes: &BTreeMap<String, usize>) -> BoardCluster {
    let (progress, condition) = if cluster.has_succeeded() {
        (ClusterProgress::Updated, cluster.condition("Succeeded"))
    } else if let Some(failed) = cluster.failed() {
        (ClusterProgress::Failed, Some(failed))
    } else if let Some(started) = cluster.started() {
        (ClusterProgress::Started, Some(started))
    } else {
        (ClusterProgress::NotStarted, None)
    };
    let held = matches!(progress, ClusterProgress::Failed | ClusterProgress::Started);
    BoardCluster {
        name: cluster.name.to_string(),
        progress,
        since: condition.and_then(|condition| condition.since).map(|since| since.value),
        cause: causes.get(&*cluster.name).copied().filter(|_| held),
    }
}
