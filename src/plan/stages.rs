//! Which stage takes which cluster, in what order and how many at once.
//!
//! The controller goes through the stages in order and stops at the first fault; a plan goes on, so
//! that one look shows all of them, and keeps that order.

use std::collections::BTreeMap;

use jiff::SignedDuration;

use super::clusters::Touched;
use super::{Members, Plan, Problem};
use crate::model::read::{Pair, find_pair};
use crate::model::run::Run;
use crate::model::selector::LabelSelector;
use crate::model::strategy::{Stage, Task};

/// How many names of clusters a message of the controller shows.
const NAMES_SHOWN: usize = 10;

/// A stage with its clusters.
#[derive(Clone, Debug)]
pub struct PlannedStage {
    /// Its name.
    pub name: String,
    /// What it selects, one requirement each; `None` if it has no selector and selects nothing.
    pub selects: Option<Vec<String>>,
    /// The label by which its clusters are sorted.
    pub sorted_by: Option<String>,
    /// `maxConcurrency` as written, `1` if it is not.
    pub concurrency: String,
    /// How many clusters are updated at once; `None` if what is written is no number.
    pub at_once: Option<usize>,
    /// How many rounds that makes.
    pub rounds: Option<usize>,
    /// Its clusters, in order.
    pub clusters: Vec<PlannedCluster>,
    /// What has to pass before its first cluster.
    pub before: Vec<PlannedTask>,
    /// What has to pass after its last cluster, all of it at the same time.
    pub after: Vec<PlannedTask>,
}

/// A cluster in a stage.
#[derive(Clone, Debug)]
pub struct PlannedCluster {
    /// Its name.
    pub name: String,
    /// The value of the sorting label, where the stage has one.
    pub order: Option<String>,
}

/// A task of a stage.
#[derive(Clone, Debug)]
pub enum PlannedTask {
    /// A person approves; the name of the request, if the run is known.
    Approval(Option<String>),
    /// Time passes.
    Wait(SignedDuration),
    /// The task cannot be read.
    Unreadable,
}

impl PlannedStage {
    /// Returns how long it waits after its clusters.
    pub fn wait(&self) -> SignedDuration {
        let waits = self.after.iter().filter_map(|task| match task {
            PlannedTask::Wait(time) => Some(*time),
            _ => None,
        });
        waits.max().unwrap_or(SignedDuration::ZERO)
    }

    /// Counts its approvals.
    pub fn approvals(&self) -> usize {
        let tasks = self.before.iter().chain(&self.after);
        tasks.filter(|task| matches!(task, PlannedTask::Approval(_))).count()
    }
}

/// Puts clusters into stages as the controller would.
pub(super) fn arrange(plan: &mut Plan, stages: &[Stage], touched: &Touched, members: &Members<'_>) {
    plan.clusters = touched.clusters.len();
    let known: BTreeMap<&str, &[Pair]> = touched
        .clusters
        .iter()
        .filter_map(|name| {
            Some((name.as_str(), members.by_name.get(name.as_str())?.labels.as_slice()))
        })
        .collect();
    let mut homes: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for stage in stages {
        judge_tasks(plan, stage);
        let taken: Vec<(&str, &[Pair])> = known
            .iter()
            .map(|(name, labels)| (*name, *labels))
            .filter(|(_, labels)| stage.selects(labels))
            .collect();
        for (name, _) in &taken {
            let home = homes.entry(*name).or_default();
            home.push(stage.name());
            if let [first, .., last] = home.as_slice() {
                let words =
                    format!("cluster `{name}` appears in more than one stages: {first} and {last}");
                plan.problems.push(Problem { words, cluster: Some((*name).to_owned()) });
            }
        }
        let clusters = sort(plan, stage, taken);
        plan.stages.push(planned(plan, stage, clusters));
    }
    for name in &touched.clusters {
        match (known.contains_key(name.as_str()), homes.contains_key(name.as_str())) {
            (false, _) if members.complete => plan.unplaced.push(name.clone()),
            (false, _) => plan.unknown.push(name.clone()),
            (true, false) => plan.unplaced.push(name.clone()),
            (true, true) => {}
        }
    }
    judge_rest(plan);
}

/// Repeats what the run has stored: its frozen stages and their clusters.
pub(super) fn repeat(plan: &mut Plan, frozen: &[Stage], run: &Run, members: &Members<'_>) {
    for stage in frozen {
        let stored = run.stages.iter().find(|status| status.name() == stage.name());
        let key = stage.sorting_label.as_deref();
        let order = |name: &str| {
            let value = find_pair(&members.by_name.get(name)?.labels, key?)?;
            Some(value.value.to_string())
        };
        let clusters = stored.into_iter().flat_map(|status| &status.clusters);
        let clusters: Vec<PlannedCluster> = clusters
            .map(|cluster| PlannedCluster {
                name: cluster.name.to_string(),
                order: order(&cluster.name),
            })
            .collect();
        plan.clusters += clusters.len();
        plan.stages.push(planned(plan, stage, clusters));
    }
}

/// Sorts by the integer of the label, then by name; says which cluster the controller stumbles over.
fn sort(plan: &mut Plan, stage: &Stage, taken: Vec<(&str, &[Pair])>) -> Vec<PlannedCluster> {
    let key = stage.sorting_label.as_deref().filter(|key| !key.is_empty());
    let mut ranked: Vec<(Option<i64>, PlannedCluster)> = Vec::new();
    for (name, labels) in taken {
        let value = key.and_then(|key| find_pair(labels, key)).map(|value| value.value.to_string());
        let rank = value.as_deref().and_then(|value| value.parse::<i64>().ok());
        if let (Some(key), None) = (key, rank) {
            let text = value.as_deref().unwrap_or_default();
            let why =
                if value.is_some() { "it is no integer" } else { "the cluster does not have it" };
            let words =
                format!("the sorting label `{key}:{text}` on cluster `{name}` is not valid: {why}");
            plan.problems.push(Problem { words, cluster: Some(name.to_owned()) });
        }
        ranked.push((rank, PlannedCluster { name: name.to_owned(), order: value }));
    }
    // Without a number a cluster has no place; it is shown last.
    ranked.sort_by(|(left, one), (right, two)| {
        (left.is_none(), left, &one.name).cmp(&(right.is_none(), right, &two.name))
    });
    ranked.into_iter().map(|(_, cluster)| cluster).collect()
}

fn planned(plan: &Plan, stage: &Stage, clusters: Vec<PlannedCluster>) -> PlannedStage {
    let at_once = stage.concurrency(clusters.len()).filter(|at_once| *at_once > 0);
    let run = plan.run.as_ref().map(|run| &*run.name);
    let task = |task: &Task, side: &str| match task.wait_time() {
        _ if task.is_approval() => {
            PlannedTask::Approval(run.map(|run| format!("{run}-{side}-{}", stage.name())))
        }
        Some(wait) if task.is_timed_wait() => PlannedTask::Wait(wait),
        _ => PlannedTask::Unreadable,
    };
    PlannedStage {
        name: stage.name().to_owned(),
        selects: stage.selector.as_ref().map(LabelSelector::show),
        sorted_by: stage.sorting_label.as_deref().filter(|key| !key.is_empty()).map(str::to_owned),
        concurrency: stage.max_concurrency.as_deref().unwrap_or("1").to_owned(),
        rounds: at_once.map(|at_once| clusters.len().div_ceil(at_once)),
        at_once,
        before: stage.before.iter().map(|one| task(one, "before")).collect(),
        after: stage.after.iter().map(|one| task(one, "after")).collect(),
        clusters,
    }
}

/// Says what of a stage's own text the controller refuses.
fn judge_tasks(plan: &mut Plan, stage: &Stage) {
    let strategy = plan.strategy.as_ref().map(|key| format!("{}/{}", key.namespace, key.name));
    let strategy = strategy.unwrap_or_default();
    let name = stage.name();
    if let Some((task, words)) = stage.refused_task() {
        let side = if stage.before.iter().any(|other| other.site.span == task.site.span) {
            "before"
        } else {
            "after"
        };
        plan.problems.push(format!("the {side} stage tasks are invalid, updateStrategy: `{strategy}`, stage: {name}, err: {words}").into());
    }
    let expressions = stage.selector.iter().flat_map(|selector| &selector.expressions);
    let odd = expressions
        .map(|item| &item.operator)
        .find(|operator| !["In", "NotIn", "Exists", "DoesNotExist"].contains(&&***operator));
    if let Some(operator) = odd {
        plan.problems.push(format!("the stage label selector is invalid, updateStrategy: `{strategy}`, stage: {name}, err: \"{}\" is not a valid label selector operator", &**operator).into());
    }
}

/// Says what is wrong with the clusters that are left, and what the stages make a reader stumble over.
fn judge_rest(plan: &mut Plan) {
    if !plan.unplaced.is_empty() {
        let names: Vec<&str> = plan.unplaced.iter().take(NAMES_SHOWN).map(String::as_str).collect();
        if plan.needs_every_cluster() {
            plan.problems.push(
                format!(
                    "some clusters are not placed in any stage, total {}, showing up to 10: {}",
                    plan.unplaced.len(),
                    names.join(", ")
                )
                .into(),
            );
        } else {
            plan.notes.push(
                "a run fails if its placement picks a cluster that is in no stage".to_owned(),
            );
        }
    }
    if !plan.unknown.is_empty() || plan.clusters == 0 {
        plan.notes.push("the stage of a cluster follows from its labels: --members FILE brings them, from `kubectl get memberclusters -o yaml`".to_owned());
    }
    let mut names: Vec<&str> = plan.stages.iter().map(|stage| stage.name.as_str()).collect();
    names.sort_unstable();
    let twice = names.windows(2).find(|pair| matches!(pair, [one, two] if one == two));
    if let Some([name, ..]) = twice {
        let note = format!(
            "two stages are named {name}: they share their approval requests, so that one approval passes both"
        );
        plan.notes.push(note);
    }
}
