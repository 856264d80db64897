//! Which clusters a run touches, and how that is known.
//!
//! The best knowledge wins: what the run itself has stored, then bindings, then the decisions of the
//! scheduler, then the policy judged on the members, and last all members there are.

use std::collections::BTreeMap;

use super::{Member, Members, Plan};
use crate::behaviour::picking::{Candidate, Fit};
use crate::grammar::kind::Kind;
use crate::graph::{Graph, Listing};
use crate::model::cluster::MemberTaint;
use crate::model::key::ObjectKey;
use crate::model::placement::Placement;
use crate::model::run::Run;
use crate::model::snapshot::PolicySnapshot;

/// How it is known which clusters a run touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClusterEvidence {
    /// The run has stored its stages.
    Status,
    /// Bindings of the latest policy snapshot.
    Bindings,
    /// Bindings, without the policy snapshot that would tell which of them count.
    BindingsOnly,
    /// What the scheduler decided.
    Decisions,
    /// The policy names its clusters.
    Named,
    /// The policy, judged on the labels and taints of the members.
    Judged,
    /// The policy may pick these, and surely some of them: PickN, or demands on properties.
    Candidates,
    /// Nothing tells: all members.
    Assumed,
}

impl ClusterEvidence {
    /// Returns the word used in machine-readable plans.
    pub fn word(self) -> &'static str {
        match self {
            Self::Status => "status",
            Self::Bindings => "bindings",
            Self::BindingsOnly => "bindings-only",
            Self::Decisions => "decisions",
            Self::Named => "named",
            Self::Judged => "judged",
            Self::Candidates => "candidates",
            Self::Assumed => "assumed",
        }
    }

    /// Returns the words shown to people.
    pub fn phrase(self) -> &'static str {
        match self {
            Self::Status => "as the run has stored them",
            Self::Bindings => "by the bindings of the latest policy snapshot",
            Self::BindingsOnly => "by the bindings; the policy snapshot is not in the input",
            Self::Decisions => "by what the scheduler decided",
            Self::Named => "by the names in the policy",
            Self::Judged => "by the policy, judged on labels and taints of the members",
            Self::Candidates => "which the policy may pick",
            Self::Assumed => "all members in the input, since nothing tells which are picked",
        }
    }

    /// Says whether every cluster of the plan is really touched, so that one without a stage is fatal.
    pub fn is_settled(self) -> bool {
        !matches!(self, Self::Candidates | Self::Assumed)
    }
}

/// The clusters that a run touches.
pub(super) struct TouchedClusters {
    pub(super) basis: ClusterEvidence,
    pub(super) clusters: Vec<String>,
    pub(super) removals: Option<Vec<String>>,
    pub(super) problems: Vec<String>,
    pub(super) notes: Vec<String>,
}

/// Returns the members of both inputs with their labels, the hub's own included.
pub(super) fn members<'g>(graph: &'g Graph, more: Option<&'g Graph>) -> Members<'g> {
    let mut members = Members { by_name: BTreeMap::new(), complete: false };
    for graph in [Some(graph), more].into_iter().flatten() {
        members.complete |= graph.listing("MemberCluster", "") == Listing::All;
        for member in graph.members.iter().filter(|member| member.meta.deleting.is_none()) {
            let taints = || member.taints.iter().map(MemberTaint::plain).collect();
            let known = || Member { labels: member.labels_on_hub(), taints: taints() };
            members.by_name.entry(member.meta.name()).or_insert_with(known);
        }
    }
    members
}

impl TouchedClusters {
    fn new(basis: ClusterEvidence, mut clusters: Vec<String>) -> Self {
        clusters.sort();
        clusters.dedup();
        let (problems, notes) = (Vec::new(), Vec::new());
        Self { basis, clusters, removals: None, problems, notes }
    }

    /// Takes all members there are.
    pub(super) fn all(members: &Members<'_>) -> Self {
        let names = members.by_name.keys();
        Self::new(ClusterEvidence::Assumed, names.map(|name| (*name).to_owned()).collect())
    }

    /// Takes what the run has stored.
    pub(super) fn of_status(run: &Run) -> Self {
        let clusters = run.stages.iter().flat_map(|stage| &stage.clusters);
        let mut touched = Self::new(
            ClusterEvidence::Status,
            clusters.map(|cluster| cluster.name.to_string()).collect(),
        );
        let removals = run.deletion_stage.iter().flat_map(|stage| &stage.clusters);
        touched.removals = Some(removals.map(|cluster| cluster.name.to_string()).collect());
        touched
    }

    /// Finds the clusters of a run that has not stored its stages yet.
    pub(super) fn of_run(graph: &Graph, run: &Run, members: &Members<'_>) -> Self {
        let (namespace, name) =
            (run.meta.namespace(), run.placement.as_deref().unwrap_or_default());
        let placement = graph.find_placement(run);
        let latest = graph.find_latest_policy(namespace, name);
        let mut touched = by_bindings(graph, namespace, name, latest)
            .or_else(|| latest.and_then(by_decisions))
            .or_else(|| placement.map(|placement| by_policy(placement, members)))
            .unwrap_or_else(|| Self::all(members));
        let key = ObjectKey::of(Kind::Placement, namespace, name);
        match placement {
            None if name.is_empty() => touched.notes.push("the run names no placement".to_owned()),
            None if graph.listing(&key.kind, namespace) == Listing::All => {
                touched.problems.insert(0, "parent placement not found".to_owned());
            }
            None => touched.notes.push(format!("placement {name} is not in the input")),
            // A row of a table does not show the strategy.
            Some(placement) if placement.meta.partial && placement.strategy.is_none() => {}
            Some(placement) if !placement.is_external() => {
                let kind = placement.strategy.as_deref().unwrap_or("RollingUpdate");
                touched.problems.insert(
                    0,
                    format!(
                        "parent placement does not have an external rollout strategy, current \
                     strategy: {kind}"
                    ),
                );
            }
            Some(_) => {}
        }
        touched
    }
}

/// Takes the bindings of the latest policy snapshot; those that are unscheduled are removed at the end.
fn by_bindings(
    graph: &Graph,
    namespace: &str,
    placement: &str,
    latest: Option<&PolicySnapshot>,
) -> Option<TouchedClusters> {
    let bindings = graph.bindings_of(namespace, placement);
    let kind = Kind::Binding.in_namespace(namespace);
    if bindings.is_empty() && (latest.is_none() || graph.listing(kind, namespace) != Listing::All) {
        return None;
    }
    let gone = |state: Option<&str>| state == Some("Unscheduled");
    let (removed, kept): (Vec<_>, Vec<_>) =
        bindings.into_iter().partition(|binding| gone(binding.state.as_deref()));
    let (current, old): (Vec<_>, Vec<_>) =
        kept.into_iter().partition(|binding| match (latest, &binding.policy) {
            (Some(latest), Some(policy)) => **policy == *latest.meta.name(),
            _ => true,
        });
    let clusters = current.iter().map(|binding| binding.cluster().to_owned()).collect();
    let basis =
        if latest.is_some() { ClusterEvidence::Bindings } else { ClusterEvidence::BindingsOnly };
    let mut touched = TouchedClusters::new(basis, clusters);
    let mut removals: Vec<String> =
        removed.iter().map(|binding| binding.cluster().to_owned()).collect();
    removals.sort();
    if !old.is_empty() {
        let old = old.len();
        touched.notes.push(format!(
            "{old} bindings are of an older policy snapshot: the scheduler is not \
             done, and the controller waits for it"
        ));
    }
    if let Some(latest) = latest {
        judge_snapshot(&mut touched, latest, removals.len());
    }
    touched.removals = Some(removals);
    Some(touched)
}

/// Says what of the latest policy snapshot would end the run.
fn judge_snapshot(touched: &mut TouchedClusters, latest: &PolicySnapshot, removals: usize) {
    let name = latest.meta.name();
    if !latest.scheduled().is_some_and(|scheduled| scheduled.is_true()) {
        touched.problems.push(format!("policy snapshot `{name}` not fully scheduled yet"));
    }
    let found = touched.clusters.len();
    if found + removals == 0 {
        touched.problems.push(format!(
            "no scheduled or to-be-deleted bindings found for the latest policy snapshot {name}"
        ));
    }
    let wanted = match latest.policy.kind() {
        "PickN" => latest.wanted_clusters().and_then(|count| count.parse::<usize>().ok()),
        "PickFixed" => Some(latest.policy.clusters.len()),
        _ => None,
    };
    if let Some(wanted) = wanted.filter(|wanted| *wanted != found) {
        touched.problems.push(format!(
            "the number of selected bindings {found} is not equal to the observed \
             cluster count {wanted}"
        ));
    }
}

fn by_decisions(latest: &PolicySnapshot) -> Option<TouchedClusters> {
    let picked = latest.decisions.iter().filter(|one| one.selected.is_some_and(|one| one.value));
    let picked = picked.map(|decision| decision.cluster.to_string()).collect();
    let mut touched = TouchedClusters::new(ClusterEvidence::Decisions, picked);
    if touched.clusters.is_empty() {
        touched.notes.push(
            "the scheduler has picked no cluster: a run fails unless there is one to remove"
                .to_owned(),
        );
    }
    (!latest.decisions.is_empty()).then_some(touched)
}

fn by_policy(placement: &Placement, members: &Members<'_>) -> TouchedClusters {
    let policy = &placement.policy;
    if policy.kind() == "PickFixed" {
        let names = policy.clusters.iter().map(|name| name.to_string()).collect();
        return TouchedClusters::new(ClusterEvidence::Named, names);
    }
    let mut unsure = Vec::new();
    let mut picked = Vec::new();
    for (name, member) in &members.by_name {
        let fit = policy.fit(Candidate { name, labels: &member.labels, taints: &member.taints });
        if fit == Fit::Maybe {
            unsure.push(*name);
        }
        if fit != Fit::No {
            picked.push((*name).to_owned());
        }
    }
    let many = policy.kind() == "PickN";
    let open = many || !unsure.is_empty();
    let mut touched = TouchedClusters::new(
        if open { ClusterEvidence::Candidates } else { ClusterEvidence::Judged },
        picked,
    );
    if let Some(count) = policy.count.filter(|_| many) {
        let found = touched.clusters.len();
        touched.notes.push(format!("PickN takes {} of these {found} clusters", count.value));
    }
    if !unsure.is_empty() {
        touched.notes.push(format!(
            "the policy selects by properties, which are not judged: {} may not be picked",
            unsure.join(", ")
        ));
    }
    touched
}

impl Plan {
    /// Says whether a cluster without a stage ends the run.
    pub(super) fn needs_every_cluster(&self) -> bool {
        self.run.is_some() && self.basis.is_settled()
    }
}
