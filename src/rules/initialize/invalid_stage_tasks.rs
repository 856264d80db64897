//! FL0104 invalid-stage-tasks.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::{Role, id};
use crate::model::strategy::Stage;
use crate::rule::Cx;
use crate::rules::failure::{Claim, causes};

declare_rule! {
    /// A stage with tasks that the controller refuses.
    ///
    /// ## Why it matters
    /// The API server lets some strategies pass that the controller does not take: two after-stage tasks of the same
    /// type, a timed wait of zero, a before-stage task that is no approval. A run with such a strategy fails for good
    /// at initialization.
    ///
    /// ## What to do
    /// Correct the strategy (an Approval without `waitTime`, a TimedWait with one above zero, one task of each type),
    /// then make a new run.
    pub static INVALID_STAGE_TASKS = Rule {
        code: "FL0104",
        name: "invalid-stage-tasks",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::Strategy],
        check: invalid_stage_tasks,
    }
}

/// A stage has tasks that the controller refuses.
const BAD_TASKS: Claim = &[
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
    for cause in causes(cx, BAD_TASKS) {
        let run = cause.run;
        let stage_name = cause.named(Role::Stage).unwrap_or_default();
        let words = cause.message.rsplit_once("err: ").map_or(cause.words(), |(_, words)| words);
        let stage = cx
            .find_strategy(run)
            .and_then(|strategy| strategy.stages.iter().find(|stage| stage.name() == stage_name));
        let task = stage.and_then(Stage::refused_task).map(|(task, _)| task);
        let place = task.map_or(cause.span, |task| {
            task.wait.as_ref().or(task.kind.as_ref()).map_or(task.site.span, |text| text.span)
        });
        let mut finding = INVALID_STAGE_TASKS
            .at(place, "the controller refuses this")
            .message(format!("{} failed: the tasks of {} are refused: {words}", run.meta.name(), if stage_name.is_empty() { "a stage".to_owned() } else { format!("stage {stage_name}") }))
            .why("the API server accepts this strategy, the controller does not: one task of each type, a wait above zero")
            .recover(Recoverability::RunIsDead);
        if task.is_some() {
            finding = finding.also(cause.span, "what the run says");
        }
        let finding = cause.settle(cx, finding);
        cx.report(finding);
    }
}
