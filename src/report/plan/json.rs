//! Plans for programs, schema `fleetlens/plan/1`: additions only.

use serde_json::{Value, json};

use crate::model::key::ObjectKey;
use crate::report::json::object_json;
use crate::report::{clean, json_text};
use crate::views::plan::{Plan, PlanProblem, PlannedCluster, PlannedStage, PlannedTask, Plans};

/// The JSON Schema of plans, shipped with the program.
pub const SCHEMA: &str = include_str!("../schema/plan-1.json");

/// Renders plans as one JSON object.
pub fn render_json(plans: &Plans) -> String {
    let value = json!({
        "schema": "fleetlens/plan/1",
        "version": env!("CARGO_PKG_VERSION"),
        "plans": plans.plans.iter().map(plan_json).collect::<Vec<_>>(),
        "succeeded": plans.succeeded,
    });
    json_text(&value)
}

fn plan_json(plan: &Plan) -> Value {
    let object = |key: Option<&ObjectKey>| object_json(key);
    json!({
        "run": object(plan.run.as_ref()),
        "placement": object(plan.placement.as_ref()),
        "strategy": object(plan.strategy.as_ref()),
        "source": plan.basis.word(),
        "clusters": plan.clusters,
        "stages": plan.stages.iter().map(stage_json).collect::<Vec<_>>(),
        "removals": plan.removals.as_deref().map(names),
        "unplaced": names(&plan.unplaced),
        "unknown": names(&plan.unknown),
        "problems": plan.problems.iter().map(problem_json).collect::<Vec<_>>(),
        "missing": plan.missing.as_deref().map(clean),
        "notes": names(&plan.notes),
        "waits_seconds": plan.waits().as_secs(),
        "shortest_seconds": plan.shortest().as_secs(),
        "approvals": plan.approvals(),
    })
}

fn problem_json(problem: &PlanProblem) -> Value {
    json!({
        "message": clean(&problem.words),
        "cluster": problem.cluster.as_deref().map(clean),
    })
}

fn stage_json(stage: &PlannedStage) -> Value {
    let cluster = |cluster: &PlannedCluster| json!({ "name": clean(&cluster.name), "order": cluster.order.as_deref().map(clean) });
    json!({
        "name": clean(&stage.name),
        "selects": stage.selects.as_deref().map(names),
        "sorted_by": stage.sorted_by.as_deref().map(clean),
        "max_concurrency": clean(&stage.concurrency),
        "at_once": stage.at_once,
        "rounds": stage.rounds,
        "clusters": stage.clusters.iter().map(cluster).collect::<Vec<_>>(),
        "before": stage.before.iter().map(task_json).collect::<Vec<_>>(),
        "after": stage.after.iter().map(task_json).collect::<Vec<_>>(),
    })
}

fn task_json(task: &PlannedTask) -> Value {
    let (kind, request, seconds) = match task {
        PlannedTask::Approval(request) => ("approval", request.as_deref().map(clean), None),
        PlannedTask::Wait(time) => ("wait", None, Some(time.as_secs())),
        PlannedTask::Unreadable => ("unreadable", None, None),
    };
    json!({ "type": kind, "request": request, "seconds": seconds })
}

fn names(texts: &[String]) -> Vec<String> {
    texts.iter().map(|text| clean(text)).collect()
}
