//! Which cluster belongs to which stage, as the controller computes it.

use smol_str::SmolStr;

use crate::finding::Incident;
use crate::model::cluster::MemberCluster;
use crate::model::run::Run;
use crate::model::selector::plain_labels;
use crate::model::strategy::Stage;
use crate::rule::Cx;
use crate::source::Span;

/// Returns the stages by which a run is judged: its frozen copy, or the strategy while there is none.
pub fn stages_to_read<'g>(cx: &Cx<'g>, run: &'g Run) -> Vec<&'g Stage> {
    let strategy = cx.find_strategy(run);
    match &run.frozen_stages {
        Some(stages) if !stages.is_empty() => stages.iter().collect(),
        _ => strategy.map(|strategy| strategy.stages.iter().collect()).unwrap_or_default(),
    }
}

/// Returns the stages that select a member cluster; an absent selector selects none, an empty one all.
pub fn stages_of<'g>(stages: &[&'g Stage], member: &MemberCluster) -> Vec<&'g Stage> {
    let labels = plain_labels(&member.meta.labels);
    stages.iter().filter(|stage| stage.plain().takes(&labels)).copied().collect()
}

/// What takes a cluster out of the stage in which a run has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClusterChange {
    /// Its binding was given up.
    Unscheduled,
    /// Its labels put it into another stage, or into none.
    Relabelled {
        /// The stage in which the run has it.
        from: String,
        /// The stage that takes it now.
        to: Option<String>,
    },
    /// The cluster has left the fleet.
    LeftFleet,
}

impl ClusterChange {
    /// Says it of one cluster or of several, to be read after the names.
    pub fn words(&self, are_several: bool) -> String {
        let (was, its) = if are_several { ("were", "their") } else { ("was", "its") };
        match self {
            Self::Unscheduled => format!("{was} unscheduled"),
            Self::Relabelled { from, to: Some(to) } => {
                format!("moved from stage {from} to {to} by {its} labels")
            }
            Self::Relabelled { from, to: None } => format!("left stage {from} by {its} labels"),
            Self::LeftFleet => "left the fleet".to_owned(),
        }
    }
}

/// A cluster that is not where a run has it.
pub struct MovedCluster {
    /// The cluster.
    pub cluster: SmolStr,
    /// What happened to it.
    pub change: ClusterChange,
    /// What happened to it, if that may concern others.
    pub event: Option<Incident>,
    /// Where the run has it.
    pub span: Span,
    /// The places that prove the move, each with its label.
    pub evidence: Vec<(Span, String)>,
}

/// Returns the clusters of a run's stages that would not be computed there again at capture.
///
/// Only what the bundle proves counts: a member cluster or binding that it does not hold is not gone.
pub fn moved_clusters<'g>(cx: &Cx<'g>, run: &'g Run) -> Vec<MovedCluster> {
    let stages = stages_to_read(cx, run);
    let mut moved = Vec::new();
    for stage in &run.stages {
        for cluster in &stage.clusters {
            let mut found = MovedCluster {
                cluster: cluster.name.value.clone(),
                change: ClusterChange::Unscheduled,
                event: None,
                span: cluster.name.span,
                evidence: Vec::new(),
            };
            let binding = cx.find_binding(run, &cluster.name);
            let unscheduled = binding
                .and_then(|binding| binding.state.as_ref())
                .filter(|state| **state == "Unscheduled");
            match cx.find_member(&cluster.name) {
                _ if unscheduled.is_some() => {}
                Some(member) if !stages.is_empty() && !member.meta.partial => {
                    let now = stages_of(&stages, member);
                    if now.iter().any(|other| other.name() == stage.name()) {
                        continue;
                    }
                    let to = now.first().map(|now| now.name().to_owned());
                    found.change = ClusterChange::Relabelled { from: stage.name().to_owned(), to };
                    found.event = Some(Incident::Relabelled(cluster.name.value.clone()));
                    let key = member
                        .meta
                        .labels
                        .first()
                        .map_or(member.meta.name_span, |pair| pair.key_span);
                    found
                        .evidence
                        .push((key, format!("the labels of {} at capture", &*cluster.name)));
                }
                None if cx.has_left(&cluster.name) => {
                    found.change = ClusterChange::LeftFleet;
                    found.event = Some(Incident::MemberGone(cluster.name.value.clone()));
                }
                _ => continue,
            }
            if let Some(state) = unscheduled {
                found.evidence.push((state.span, format!("the binding of {}", &*cluster.name)));
            }
            moved.push(found);
        }
    }
    moved
}
