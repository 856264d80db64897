//! Unhealthy conditions: every condition that is False or Unknown where True is wanted, with the topics a finding would tell it by.
//!
//! What is Unknown counts, too: it is wrong only if it lasts. A condition counts while it speaks of the object's generation; what is being deleted is another matter, and so
//! is a run that has failed.

use crate::finding::Topic;
use crate::grammar::kind::Kind;
use crate::graph::Graph;
use crate::model::condition::Condition;
use crate::model::meta::Meta;
use crate::source::Span;
use crate::syntax::Syntax;

/// Everything that a controller reports on.
pub const READS: &[Kind] = &[
    Kind::Work,
    Kind::Binding,
    Kind::Placement,
    Kind::Run,
    Kind::MemberCluster,
    Kind::Eviction,
    Kind::ApprovalRequest,
];

/// Something that a controller calls wrong.
#[derive(Debug)]
pub struct UnhealthyCondition<'g> {
    /// The object.
    pub meta: &'g Meta,
    /// What its controller says of it.
    pub condition: &'g Condition,
    /// What a finding would speak of that tells it.
    pub topics: Vec<Topic>,
}

/// Collects the complaints, the deepest first: what a Work says is repeated by its binding and its placement.
pub fn find_unhealthy_conditions(graph: &Graph) -> Vec<UnhealthyCondition<'_>> {
    let placed = works(graph).chain(bindings(graph)).chain(placements(graph));
    let others = members(graph).chain(evictions(graph)).chain(requests(graph));
    placed.chain(runs(graph)).chain(others).collect()
}

/// Returns the first condition that is False, else the first that is Unknown.
fn worst<'g>(conditions: impl Iterator<Item = &'g Condition>) -> Option<&'g Condition> {
    let open: Vec<&Condition> = conditions.filter(|condition| !condition.is_true()).collect();
    open.iter().find(|condition| condition.is_false()).or(open.first()).copied()
}

fn works<'g>(graph: &'g Graph) -> impl Iterator<Item = UnhealthyCondition<'g>> + use<'g> {
    graph.works.iter().filter(|work| work.meta.deleting.is_none()).filter_map(|work| {
        let kinds = ["Applied", "Available", "DiffReported"].into_iter();
        let condition = worst(kinds.filter_map(|kind| work.current(kind)))?;
        let mut topics = vec![Topic::Work(work.meta.key.clone())];
        topics.extend(
            work.placement().map(|key| Topic::PlacementCluster(key, work.cluster().into())),
        );
        topics.push(Topic::Member(work.cluster().into()));
        Some(UnhealthyCondition { meta: &work.meta, condition, topics })
    })
}

fn bindings<'g>(graph: &'g Graph) -> impl Iterator<Item = UnhealthyCondition<'g>> + use<'g> {
    graph.bindings.iter().filter(|binding| binding.meta.deleting.is_none()).filter_map(|binding| {
        let gone = binding.state.as_deref() == Some("Unscheduled");
        let condition = worst(binding.current_chain()).filter(|_| !gone)?;
        let cluster = binding.cluster();
        let key = binding.placement_or_unnamed();
        let topics =
            vec![Topic::PlacementCluster(key, cluster.into()), Topic::Member(cluster.into())];
        Some(UnhealthyCondition { meta: &binding.meta, condition, topics })
    })
}

fn placements<'g>(graph: &'g Graph) -> impl Iterator<Item = UnhealthyCondition<'g>> + use<'g> {
    let alive = graph.placements.iter().filter(|placement| placement.meta.deleting.is_none());
    alive.filter_map(|placement| {
        let generation = placement.meta.generation();
        let current =
            |it: &&Condition| generation.is_none_or(|generation| it.generation() == generation);
        // What runs roll out is open until one of them has done it.
        let its_own = |it: &&Condition| it.is_false() || !placement.is_external();
        let conditions = placement.conditions.iter().filter(current).filter(its_own);
        let condition = worst(conditions)?;
        let key = &placement.meta.key;
        let clusters = placement.clusters.iter().map(|cluster| cluster.name());
        let mut topics = vec![Topic::Placement(key.clone()), Topic::Rollout(key.clone())];
        topics.extend(clusters.map(|name| Topic::PlacementCluster(key.clone(), name.into())));
        Some(UnhealthyCondition { meta: &placement.meta, condition, topics })
    })
}

/// A run that failed is told by another rule, whatever its words.
fn runs<'g>(graph: &'g Graph) -> impl Iterator<Item = UnhealthyCondition<'g>> + use<'g> {
    let open = graph.runs.iter().filter(|run| !run.is_terminal() && run.meta.deleting.is_none());
    open.filter_map(|run| {
        let row = run.meta.syntax == Syntax::Table;
        let held = |it: &&Condition| it.is_false() || (row && !it.is_true());
        let condition = run.condition("Progressing").filter(held)?;
        let key = &run.meta.key;
        let clusters = run.stages.iter().flat_map(|stage| &stage.clusters);
        let mut topics = vec![Topic::Run(key.clone())];
        topics.extend(
            run.waiting_at().map(|(stage, side)| Topic::Gate(key.clone(), stage.into(), side)),
        );
        topics.extend(clusters.map(|it| Topic::RunCluster(key.clone(), it.name.value.clone())));
        Some(UnhealthyCondition { meta: &run.meta, condition, topics })
    })
}

fn members<'g>(graph: &'g Graph) -> impl Iterator<Item = UnhealthyCondition<'g>> + use<'g> {
    let alive = graph.members.iter().filter(|member| member.meta.deleting.is_none());
    alive.filter_map(|member| {
        let own = member.conditions.iter();
        let agents = member.agents.iter().flat_map(|agent| &agent.conditions);
        let condition = own.chain(agents).find(|condition| condition.is_false())?;
        let topics = vec![Topic::Member(member.meta.name().into())];
        Some(UnhealthyCondition { meta: &member.meta, condition, topics })
    })
}

fn evictions<'g>(graph: &'g Graph) -> impl Iterator<Item = UnhealthyCondition<'g>> + use<'g> {
    graph.evictions.iter().filter_map(|eviction| {
        let kinds = ["Valid", "Executed"].into_iter();
        let mut conditions = kinds.filter_map(|kind| eviction.condition(kind));
        let condition = conditions.find(|condition| condition.is_false())?;
        Some(UnhealthyCondition { meta: &eviction.meta, condition, topics: Vec::new() })
    })
}

fn requests<'g>(graph: &'g Graph) -> impl Iterator<Item = UnhealthyCondition<'g>> + use<'g> {
    graph.approvals.iter().filter_map(|request| {
        let condition = request.conditions.iter().find(|condition| condition.is_false())?;
        Some(UnhealthyCondition { meta: &request.meta, condition, topics: Vec::new() })
    })
}

/// Returns the rows of placements and bindings that show nothing of a rollout, while no run is under way.
pub fn find_empty_rows(graph: &Graph) -> Vec<&Meta> {
    let moves = |condition: Option<&Condition>| condition.is_some_and(Condition::is_true);
    let mut runs = graph.runs.iter();
    if runs.any(|run| !run.is_terminal() && moves(run.condition("Progressing"))) {
        return Vec::new();
    }
    let placements = graph.placements.iter().map(|it| (&*it.meta, &it.conditions));
    let bindings = graph.bindings.iter().map(|it| (&*it.meta, &it.conditions));
    let empty = placements.chain(bindings).filter(|(meta, conditions)| {
        meta.syntax == Syntax::Table && conditions.iter().all(|it| it.kind.ends_with("Scheduled"))
    });
    empty.map(|(meta, _)| meta).collect()
}

/// What tells that something is being terminated, where only rows were sent.
pub const TERMINATING: &[Kind] = &[Kind::Namespace];

/// Returns the rows of namespaces that are being terminated, with the place of that word.
pub fn find_terminating_rows(graph: &Graph) -> Vec<(&Meta, Span)> {
    let rows = graph.others.iter().map(AsRef::as_ref);
    let rows =
        rows.filter(|meta: &&Meta| meta.syntax == Syntax::Table && &*meta.key.kind == "Namespace");
    let going = |meta| {
        let meta: &Meta = meta;
        let phase = meta.phase()?;
        (*phase == *"Terminating").then_some((meta, phase.span))
    };
    rows.filter_map(going).collect()
}
