//! Plans: how a run would go, before it does.
//!
//! Owns [`Plan`] and the way to it: which clusters a run touches (`clusters`), which stage takes each
//! and in what order (`stages`), and what would end the run at its initialization. It computes what
//! the update run controller computes (KubeFleet pkg/controllers/updaterun) and says from what.
//! Invariant: what the input does not show is named as unknown, never guessed.

mod clusters;
mod stages;

use std::collections::BTreeMap;

use jiff::SignedDuration;

use crate::grammar::kind::Kind;
use crate::graph::{Graph, HasMeta as _, Listing};
use crate::kube::selector::Labels;
use crate::kube::taint::Taint;
use crate::model::key::ObjectKey;
use crate::model::run::Run;
use crate::model::strategy::Strategy;

pub use clusters::ClusterEvidence;
pub use stages::{PlannedCluster, PlannedStage, PlannedTask};

/// How often the controller looks at clusters that it updates or removes.
const LOOK: SignedDuration = SignedDuration::from_secs(15);

/// How one run would go, or every run of one strategy.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The run, if the plan is one's.
    pub run: Option<ObjectKey>,
    /// The placement that the run names.
    pub placement: Option<ObjectKey>,
    /// The strategy, if the run names one.
    pub strategy: Option<ObjectKey>,
    /// How it is known which clusters are touched.
    pub basis: ClusterEvidence,
    /// How many clusters are touched.
    pub clusters: usize,
    /// The stages, in order.
    pub stages: Vec<PlannedStage>,
    /// The clusters that are removed after the last stage; `None` if the input does not tell.
    pub removals: Option<Vec<String>>,
    /// Clusters that no stage takes.
    pub unplaced: Vec<String>,
    /// Clusters whose labels are not in the input, so that their stage is not known.
    pub unknown: Vec<String>,
    /// What ends the run at its initialization, in the controller's order and words.
    pub problems: Vec<PlanProblem>,
    /// Why there is nothing to be planned.
    pub missing: Option<String>,
    /// What is worth knowing.
    pub notes: Vec<String>,
}

impl Plan {
    /// Returns the shortest time that it takes: all waits, and one look per round of clusters.
    pub fn shortest(&self) -> SignedDuration {
        let removal = self.removals.as_ref().is_some_and(|clusters| !clusters.is_empty());
        let looks = self.rounds() + usize::from(removal);
        let looks = i32::try_from(looks).unwrap_or(i32::MAX);
        self.waits().saturating_add(LOOK.saturating_mul(looks))
    }

    /// Returns the time that the waits take together.
    pub fn waits(&self) -> SignedDuration {
        let waits = self.used().map(PlannedStage::wait);
        waits.fold(SignedDuration::ZERO, SignedDuration::saturating_add)
    }

    /// Counts the rounds in which clusters are updated.
    pub fn rounds(&self) -> usize {
        self.stages.iter().filter_map(|stage| stage.rounds).sum()
    }

    /// Counts the approvals that a person has to give.
    pub fn approvals(&self) -> usize {
        self.used().map(PlannedStage::approvals).sum()
    }

    /// Says whether nothing is known of the clusters that are touched.
    pub fn is_blank(&self) -> bool {
        self.stages.iter().all(|stage| stage.clusters.is_empty()) && self.unplaced.is_empty()
    }

    /// Returns the stages whose tasks count: a stage without clusters is skipped with its tasks,
    /// unless its clusters are merely not known.
    fn used(&self) -> impl Iterator<Item = &PlannedStage> {
        let blank = self.is_blank();
        self.stages.iter().filter(move |stage| blank || !stage.clusters.is_empty())
    }
}

/// What ends a run at its initialization.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanProblem {
    /// What the controller says.
    pub words: String,
    /// The cluster that it stumbles over, if it is one: it counts only if that cluster is picked.
    pub cluster: Option<String>,
}

impl From<String> for PlanProblem {
    fn from(words: String) -> Self {
        Self { words, cluster: None }
    }
}

/// Everything that could be planned.
#[derive(Clone, Debug, Default)]
pub struct Plans {
    /// One per run that has not succeeded, then one per strategy that no run names.
    pub plans: Vec<Plan>,
    /// How many runs were left out because they have succeeded.
    pub succeeded: usize,
}

/// The member clusters that are known.
struct Members<'g> {
    by_name: BTreeMap<&'g str, Member<'g>>,
    /// Whether a list was read, so that a cluster that is not among them does not exist.
    complete: bool,
}

/// What a plan needs of a member cluster.
struct Member<'g> {
    /// Its labels, with the one that the hub adds.
    labels: Labels<'g>,
    taints: Vec<Taint<'g>>,
}

/// Plans every run and strategy; `more` brings further member clusters.
pub fn plans(graph: &Graph, more: Option<&Graph>) -> Plans {
    let members = clusters::members(graph, more);
    let runs = graph.runs.as_slice();
    let open: Vec<&Run> = runs.iter().filter(|run| !run.has_succeeded()).collect();
    let mut plans: Vec<Plan> = open.iter().map(|run| plan_run(graph, run, &members)).collect();
    let named = |strategy: &&Strategy| {
        runs.iter()
            .any(|run| graph.find_strategy(run).is_some_and(|other| other.key() == strategy.key()))
    };
    let free = graph.strategies.iter().filter(|strategy| !named(strategy));
    plans.extend(free.map(|strategy| plan_strategy(strategy, &members)));
    Plans { plans, succeeded: runs.len() - open.len() }
}

/// Plans a strategy that no run names, over all members.
fn plan_strategy(strategy: &Strategy, members: &Members<'_>) -> Plan {
    let touched = clusters::TouchedClusters::all(members);
    let mut plan = empty_plan(Some(strategy.meta.key.clone()), touched.basis);
    stages::arrange(&mut plan, &strategy.stages, &touched, members);
    plan
}

fn plan_run(graph: &Graph, run: &Run, members: &Members<'_>) -> Plan {
    let namespace = run.meta.namespace();
    let frozen = run.frozen_stages.as_ref().filter(|stages| !stages.is_empty());
    let frozen = frozen.filter(|_| run.is_initialized());
    let touched = match frozen {
        Some(_) => clusters::TouchedClusters::of_status(run),
        None => clusters::TouchedClusters::of_run(graph, run, members),
    };
    let mut plan = empty_plan(strategy_key(run), touched.basis);
    plan.run = Some(run.meta.key.clone());
    let name = run.placement.as_deref().filter(|name| !name.is_empty());
    plan.placement = name.map(|name| ObjectKey::of(Kind::Placement, namespace, name));
    plan.problems.extend(touched.problems.iter().cloned().map(PlanProblem::from));
    plan.notes.extend(touched.notes.iter().cloned());
    plan.removals = touched.removals.clone();
    match (frozen, graph.find_strategy(run)) {
        (Some(frozen), _) => stages::repeat(&mut plan, frozen, run, members),
        (None, Some(strategy)) => {
            stages::arrange(&mut plan, &strategy.stages, &touched, members);
        }
        (None, None) => miss_strategy(&mut plan, graph, run, &touched),
    }
    if frozen.is_none() {
        plan.problems.extend(judge_index(graph, run).map(PlanProblem::from));
    }
    if let Some(failure) = run.failure() {
        plan.notes.push(format!("this run has failed and stays so: {}", failure.message()));
    }
    plan
}

/// Says what is wrong with the snapshot that a run asks for, which is looked at last.
fn judge_index(graph: &Graph, run: &Run) -> Option<String> {
    let index = run.index.as_deref().filter(|index| !index.is_empty())?;
    let (namespace, placement) = (run.meta.namespace(), run.placement.as_deref()?);
    let Some(number) = index.trim_start_matches('+').parse::<u64>().ok() else {
        return Some(format!(
            "invalid resource snapshot index `{index}` provided, expected an integer >= 0"
        ));
    };
    let kind = Kind::ResourceSnapshot.in_namespace(namespace);
    let known = graph.snapshots_of(namespace, placement);
    // The label is compared with the text, while the message prints the number.
    let found = known.iter().any(|one| one.index().is_some_and(|label| **label == *index));
    let listed = graph.listing(kind, namespace) == Listing::All;
    (listed && !found).then(|| {
        format!(
            "no resourceSnapshots with index `{number}` found for placement \
             `{namespace}/{placement}`"
        )
    })
}

/// Returns the key of the strategy that a run names, in the run's own scope.
fn strategy_key(run: &Run) -> Option<ObjectKey> {
    let namespace = run.meta.namespace();
    let kind = Kind::Strategy.in_namespace(namespace);
    let name = run.strategy.as_deref().filter(|name| !name.is_empty())?;
    Some(ObjectKey::on_hub(kind, namespace, name))
}

/// Says that there is no strategy: it does not exist where strategies were listed.
fn miss_strategy(plan: &mut Plan, graph: &Graph, run: &Run, touched: &clusters::TouchedClusters) {
    plan.clusters = touched.clusters.len();
    plan.missing = Some(match &plan.strategy {
        Some(key) if graph.listing(&key.kind, &key.namespace) == Listing::All => {
            let path = format!("{}/{}", key.namespace, key.name);
            plan.problems.push(format!("referenced updateStrategy not found: `{path}`").into());
            format!("strategy `{}` does not exist", key.path())
        }
        Some(key) => format!("strategy `{}` is not in the input", key.path()),
        None if run.meta.partial => "the run is only partly in the input".to_owned(),
        None => "the run names no strategy".to_owned(),
    });
}

fn empty_plan(strategy: Option<ObjectKey>, basis: ClusterEvidence) -> Plan {
    Plan {
        run: None,
        placement: None,
        strategy,
        basis,
        clusters: 0,
        stages: Vec::new(),
        removals: None,
        unplaced: Vec::new(),
        unknown: Vec::new(),
        problems: Vec::new(),
        missing: None,
        notes: Vec::new(),
    }
}
