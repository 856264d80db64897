//! A gate of a run: what its approval says, what the controller requires, and what lies behind it.

use crate::graph::Graph;
use crate::model::approval::{ApprovalRequest, Side};
use crate::model::run::Run;

/// A gate at which a run waits.
#[derive(Clone, Debug)]
pub struct GateCard {
    /// The run.
    pub run: String,
    /// The stage.
    pub stage: String,
    /// Which of its gates.
    pub side: Side,
    /// The request that has to be approved.
    pub request: String,
    /// Whether the bundle holds the request.
    pub is_known: bool,
    /// What the request's `Approved` condition says; `None` if it has none.
    pub approved: Option<String>,
    /// The generation that the approval names; one that names none counts as 0.
    pub observed: Option<i64>,
    /// The generation of the request.
    pub generation: Option<i64>,
    /// The stages in order, each with its clusters and whether it is done.
    pub stages: Vec<(String, Vec<String>, bool)>,
}

/// Returns the card of a gate of approval.
pub(super) fn card(graph: &Graph, run: &Run, stage: &str, side: Side) -> Option<GateCard> {
    let name = ApprovalRequest::name_of(run.meta.name(), side, stage);
    let request = graph.find_request(run, &name);
    let approved = request.and_then(ApprovalRequest::approved);
    Some(GateCard {
        run: run.meta.key.path(),
        stage: stage.to_owned(),
        side,
        request: name,
        is_known: request.is_some(),
        approved: approved.map(|condition| condition.status.value.word().to_owned()),
        observed: approved.map(|condition| condition.generation()),
        generation: request.and_then(|request| request.meta.generation()),
        stages: run
            .stages
            .iter()
            .map(|stage| {
                let clusters = stage.clusters.iter().map(|cluster| cluster.name.to_string());
                (stage.name().to_owned(), clusters.collect(), stage.has_succeeded())
            })
            .collect(),
    })
}
