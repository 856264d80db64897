//! FL0207 broken-run-status.

use crate::declare_rule;
use crate::facts::after_repair::Repair;
use crate::finding::{Finding, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::rule::Cx;
use crate::rules::run_failure::{
    ClaimedMessages, RunFailureCause, foretold, living_runs, report_causes,
};

declare_rule! {
    /// A run whose own status contradicts itself.
    ///
    /// ## Why it matters
    /// Before each step the controller checks its own notes: stages finish in order, one at a time, and no more clusters are in
    /// flight than allowed. A status that was edited or damaged fails the run permanently.
    ///
    /// ## What to do
    /// Create a new run. Do not edit the status of runs.
    pub static BROKEN_RUN_STATUS = Rule {
        code: "FL0207",
        name: "broken-run-status",
        severity: Severity::Error,
        reads: &[Kind::Run],
        check: broken_run_status,
    }
}

/// The run's own status contradicts itself.
const BROKEN_STATUS: ClaimedMessages = &[
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
    report_causes(cx, BROKEN_STATUS, Repair::Run, describe);
    for run in living_runs(cx) {
        let open = run.stages.iter().position(|stage| !stage.has_succeeded());
        let Some(open) = open else { continue };
        let early = run.stages.iter().skip(open + 1).find(|stage| !stage.conditions.is_empty());
        let (Some(early), Some(waiting)) = (early, run.stages.get(open)) else { continue };
        let place = early.conditions.first().map_or(early.span, |condition| condition.span);
        let finding = BROKEN_RUN_STATUS
            .at(place, format!("stage {} has begun", early.name()))
            .also_at(waiting.name.as_ref().map(|name| name.span), "this stage is not finished")
            .message(format!(
                "Stage {} of {} has begun before stage {} is finished.",
                early.name(),
                run.meta.name(),
                waiting.name(),
            ))
            .why("Stages finish in order, one at a time. The controller checks that each time.");
        let outlook = foretold(cx, run, "");
        cx.report(finding.outlook(outlook));
    }
}

fn describe(_: &Cx<'_>, cause: &RunFailureCause<'_>) -> Finding {
    BROKEN_RUN_STATUS
        .at(cause.span, cause.label())
        .message(format!(
            "The status of {} contradicts itself: {}.",
            cause.run.meta.name(),
            cause.clause()
        ))
        .why(
            "The controller checks its notes before each step. Someone edited them, or \
             another release wrote them.",
        )
}
