//! Which stage takes which cluster, in what order and how many at once.
//!
//! The controller goes through the stages in order and stops at the first fault; a plan goes on, so
//! that one look shows all of them, and keeps that order.

use std::collections::{BTreeMap, BTreeSet};

use jiff::SignedDuration;

use super::clusters::TouchedClusters;
use super::{Members, Plan, PlanProblem};
use crate::behaviour::staging::{self, Ranked, Unsortable};
use crate::kube::selector::{Labels, OPERATORS};
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
    /// How many clusters are updated at once; `None` for what is not a number.
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
    /// A timed wait of this length.
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
pub(super) fn arrange(
    plan: &mut Plan,
    stages: &[Stage],
    touched: &TouchedClusters,
    members: &Members<'_>,
) {
    plan.clusters = touched.clusters.len();
    let known: BTreeMap<&str, &Labels<'_>> = touched
        .clusters
        .iter()
        .filter_map(|name| Some((name.as_str(), &members.by_name.get(name.as_str())?.labels)))
        .collect();
    let rules: Vec<staging::StageSelection<'_>> = stages.iter().map(Stage::plain).collect();
    let filled = staging::arrange(&rules, &known);
    for (stage, filled) in stages.iter().zip(&filled) {
        judge_tasks(plan, stage);
        for (name, first) in &filled.overlaps {
            let first = stages.get(*first).map_or("", Stage::name);
            let last = stage.name();
            let words =
                format!("cluster `{name}` appears in more than one stages: {first} and {last}");
            plan.problems.push(PlanProblem { words, cluster: Some((*name).to_owned()) });
        }
        judge_order(plan, stage, &filled.clusters);
        let key = stage.sorting_label.as_deref().filter(|key| !key.is_empty());
        let clusters = filled.clusters.iter().map(|one| PlannedCluster {
            name: one.name.to_owned(),
            order: known.get(one.name).and_then(|labels| labels.get(key?)).map(|it| (*it).into()),
        });
        plan.stages.push(planned(plan, stage, clusters.collect()));
    }
    let placed: BTreeSet<&str> =
        filled.iter().flat_map(|stage| &stage.clusters).map(|one| one.name).collect();
    for name in &touched.clusters {
        match (known.contains_key(name.as_str()), placed.contains(name.as_str())) {
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
        let order = |name: &str| Some((*members.by_name.get(name)?.labels.get(key?)?).to_owned());
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

/// Says which clusters the controller cannot sort; they have no place, and are shown last.
fn judge_order(plan: &mut Plan, stage: &Stage, clusters: &[Ranked<'_>]) {
    for Ranked { name, number } in clusters {
        let (text, why) = match number {
            Some(Err(Unsortable::Absent)) => ("", "the cluster does not have it"),
            Some(Err(Unsortable::NoInteger(text))) => (*text, "it is no integer"),
            _ => continue,
        };
        let key = stage.sorting_label.as_deref().unwrap_or_default();
        let words =
            format!("the sorting label `{key}:{text}` on cluster `{name}` is not valid: {why}");
        plan.problems.push(PlanProblem { words, cluster: Some((*name).to_owned()) });
    }
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
        plan.problems.push(
            format!(
                "the {side} stage tasks are invalid, updateStrategy: `{strategy}`, stage: \
             {name}, err: {words}"
            )
            .into(),
        );
    }
    let expressions = stage.selector.iter().flat_map(|selector| &selector.expressions);
    let odd =
        expressions.map(|item| &item.operator).find(|operator| !OPERATORS.contains(&&***operator));
    if let Some(operator) = odd {
        plan.problems.push(
            format!(
                "the stage label selector is invalid, updateStrategy: `{strategy}`, \
             stage: {name}, err: \"{}\" is not a valid label selector operator",
                &**operator
            )
            .into(),
        );
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
        plan.notes.push(
            "the stage of a cluster follows from its labels: --members FILE brings \
             them, from `kubectl get memberclusters -o yaml`"
                .to_owned(),
        );
    }
    let mut names: Vec<&str> = plan.stages.iter().map(|stage| stage.name.as_str()).collect();
    names.sort_unstable();
    let twice = names.windows(2).find(|pair| matches!(pair, [one, two] if one == two));
    if let Some([name, ..]) = twice {
        let note = format!(
            "two stages are named {name}: they share their approval requests, so that \
                 one approval passes both"
        );
        plan.notes.push(note);
    }
}
