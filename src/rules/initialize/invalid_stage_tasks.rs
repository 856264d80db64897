//! FL0104 invalid-stage-tasks.

use crate::declare_rule;
use crate::facts::after_repair::Repair;
use crate::finding::{Command, Finding, Risk, RunsOn, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::{HoleRole, id};
use crate::model::strategy::{Stage, Strategy, Task};
use crate::rule::Cx;
use crate::rules::run_failure::{ClaimedMessages, RunFailureCause, report_causes};
use serde_json::json;

declare_rule! {
    /// A stage with tasks that the controller refuses.
    ///
    /// ## Why it matters
    /// The API server lets some strategies pass that the controller does not take: two after-stage tasks of the same
    /// type, a timed wait of zero, a before-stage task that is no approval. A run with such a strategy fails permanently
    /// at initialization.
    ///
    /// ## What to do
    /// Correct the strategy (an Approval without `waitTime`, a TimedWait with one above zero, one task of each type),
    /// then create a new run.
    pub static INVALID_STAGE_TASKS = Rule {
        code: "FL0104",
        name: "invalid-stage-tasks",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::Strategy],
        check: invalid_stage_tasks,
    }
}

/// A stage has tasks that the controller refuses.
const BAD_TASKS: ClaimedMessages = &[
    id::ERR_BEFORE_TASKS,
    id::ERR_AFTER_TASKS,
    id::ERR_AFTER_TASKS_CSUR,
    id::ERR_TASK_BEFORE_MANY,
    id::ERR_TASK_BEFORE_TYPE,
    id::ERR_TASK_BEFORE_WAIT,
    id::ERR_TASK_AFTER_DUP,
    id::ERR_TASK_AFTER_NIL,
    id::ERR_TASK_AFTER_ZERO,
    id::ERR_TASK_AFTER_ZERO_OLD,
    id::EXEC_BEFORE_TASK_TYPE,
];

fn invalid_stage_tasks(cx: &mut Cx<'_>) {
    report_causes(cx, BAD_TASKS, Repair::Strategy, describe);
}

fn describe(cx: &Cx<'_>, cause: &RunFailureCause<'_>) -> Finding {
    let stage_name = cause.named(HoleRole::Stage).unwrap_or_default();
    let strategy = cx.find_strategy(cause.run);
    let stages = strategy.map(|strategy| &strategy.stages);
    let stage = stages.and_then(|stages| stages.iter().find(|stage| stage.name() == stage_name));
    let task = stage.and_then(Stage::refused_task).map(|(task, _)| task);
    let place = task.map_or(cause.span, |task| {
        task.wait.as_ref().or(task.kind.as_ref()).map_or(task.site.span, |text| text.span)
    });
    let mut finding = INVALID_STAGE_TASKS
        .at(place, "the controller refuses this")
        .message(message(cause, stage_name))
        .why("The API server accepts this strategy, but the controller refuses it.");
    if task.is_some() {
        finding = finding.also(cause.span, cause.label());
    }
    if let Some(((strategy, stage), task)) = strategy.zip(stage).zip(task) {
        finding = finding.command(without(strategy, stage, task));
    }
    finding
}

/// Says what is wrong with the tasks, by the words in which the controller refused them.
fn message(cause: &RunFailureCause<'_>, stage: &str) -> String {
    let words = cause.message.rsplit_once("err: ").map_or(cause.words(), |(_, words)| words);
    let named = if stage.is_empty() { "A stage".to_owned() } else { format!("Stage {stage}") };
    if let Some((_, kind)) = words.split_once("two tasks of the same type: ") {
        return format!("{named} has two {kind} tasks. The controller allows one of each type.");
    }
    if words.contains("at most one task") {
        return format!("{named} has more than one task before it. The controller allows one.");
    }
    if words.contains("not allowed in beforeStageTasks") {
        return format!("{named} has a task before it that is no Approval: {words}.");
    }
    if words.contains("cannot have wait duration") {
        return format!(
            "The Approval before stage {stage} has a waitTime, which it must not have."
        );
    }
    if words.contains("wait duration") {
        return format!("{named} has a TimedWait whose wait time is not above zero: {words}.");
    }
    let whose = if stage.is_empty() { "a stage".to_owned() } else { format!("stage {stage}") };
    let words = words.trim_end_matches([':', '.']);
    format!("The controller refuses the tasks of {whose}: {words}.")
}

/// Takes the refused task, or its wait time, out of the strategy.
fn without(strategy: &Strategy, stage: &Stage, task: &Task) -> Option<Command> {
    let index = strategy.stages.iter().position(|other| other.site.span == stage.site.span)?;
    let here = |tasks: &[Task]| tasks.iter().position(|other| other.site.span == task.site.span);
    let (side, at, list, tasks) = match (here(&stage.before), here(&stage.after)) {
        (Some(at), _) => ("before", at, "beforeStageTasks", &stage.before),
        (None, Some(at)) => ("after", at, "afterStageTasks", &stage.after),
        (None, None) => return None,
    };
    let path = format!("/spec/stages/{index}/{list}/{at}");
    let kind = task.kind.as_deref()?;
    // Alone before its stage, an approval only has a field too many.
    let only_wait = side == "before" && stage.before.len() == 1 && task.is_approval();
    let (target, what) = match only_wait {
        true => (format!("{path}/waitTime"), "the waitTime of the Approval".to_owned()),
        false => {
            let alike =
                tasks.iter().take(at).filter(|other| other.kind.as_deref() == Some(kind)).count();
            let which = if alike == 0 { "the" } else { "the second" };
            (path.clone(), format!("{which} {kind} task"))
        }
    };
    let patch = json!([
        {"op": "test", "path": format!("/spec/stages/{index}/name"), "value": stage.name()},
        {"op": "test", "path": format!("{path}/type"), "value": kind},
        {"op": "remove", "path": target},
    ]);
    let command = Command::kubectl(Risk::Reversible, RunsOn::Hub).words("patch");
    let effect = format!("removes {what} {side} stage {}", stage.name());
    command.object(&strategy.meta.key).patch("--type=json", &patch).effect(effect).build()
}
