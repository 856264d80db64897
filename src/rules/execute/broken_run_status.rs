//! FL0207 broken-run-status.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::rule::Cx;
use crate::rules::failure::{Claim, causes, settle};

declare_rule! {
    /// A run whose own status contradicts itself.
    ///
    /// ## Why it matters
    /// Before each step the controller checks its own notes: stages finish in order, one at a time, and no more clusters are in
    /// flight than allowed. A status that was edited or damaged fails the run for good.
    ///
    /// ## What to do
    /// Make a new run. Do not edit the status of runs.
    pub static BROKEN_RUN_STATUS = Rule {
        code: "FL0207",
        name: "broken-run-status",
        severity: Severity::Error,
        reads: &[Kind::Run],
        check: broken_run_status,
    }
}

/// The run's own status contradicts itself.
const BROKEN_STATUS: Claim = &[
    id::VAL_NIL_STRATEGY,
    id::VAL_NIL_STRATEGY_CSUR,
    id::VAL_NIL_STRATEGY_CSUR_OLD,
    id::VAL_NIL_STAGES,
    id::VAL_NIL_STAGES_CSUR,
    id::VAL_NIL_DELETION,
    id::VAL_NIL_DELETION_CSUR,
    id::VAL_FINISHED_AFTER_UPDATING,
    id::VAL_FINISHED_CLUSTER_OPEN,
    id::VAL_FINISHED_GAP,
    id::VAL_TWO_UPDATING,
    id::VAL_UPDATING_GAP,
    id::VAL_CONCURRENCY,
    id::VAL_CONCURRENCY_OLD,
    id::VAL_DELETE_ACTIVE,
    id::VAL_DELETE_INACTIVE_OLD,
    id::EXEC_DELETE_STILL_THERE,
    id::EXEC_DELETE_STILL_THERE_CSUR,
    id::EXEC_DELETE_NOT_DELETING,
    id::EXEC_MAXCONCURRENCY_NIL,
    id::EXEC_MAXCONCURRENCY_BAD,
];

fn broken_run_status(cx: &mut Cx<'_>) {
    for cause in causes(cx, BROKEN_STATUS) {
        let run = cause.run;
        let finding = BROKEN_RUN_STATUS
            .at(cause.span, "what does not fit")
            .message(format!("{} failed: its own status contradicts itself: {}", run.meta.name(), cause.words()))
            .why("the controller checks its notes before each step; somebody edited them, or another build wrote them")
            .recover(Recoverability::RunIsDead);
        let finding = settle(cx, run, finding);
        cx.report(finding);
    }
    for run in cx
        .runs()
        .iter()
        .filter(|run| run.is_initialized() && !run.is_terminal() && !run.meta.partial)
    {
        let open = run.stages.iter().position(|stage| !stage.has_succeeded());
        let Some(open) = open else { continue };
        let early = run.stages.iter().skip(open + 1).find(|stage| !stage.conditions.is_empty());
        let (Some(early), Some(waiting)) = (early, run.stages.get(open)) else { continue };
        cx.report(
            BROKEN_RUN_STATUS
                .at(early.conditions.first().map_or(early.span, |condition| condition.span), "begun too early")
                .also_at(waiting.name.as_ref().map(|name| name.span), "this stage is not finished")
                .message(format!(
                    "{} will fail at its next look: stage {} has begun before stage {} is finished",
                    run.meta.name(),
                    early.name(),
                    waiting.name(),
                ))
                .why("stages finish in order, one at a time; the controller checks that before each step")
                .recover(Recoverability::RunIsDead),
        );
    }
}
