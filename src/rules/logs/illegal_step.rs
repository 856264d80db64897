//! FL0914 illegal-step.

use jiff::Timestamp;

use crate::declare_rule;
use crate::finding::{Certainty, Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::model::approval::Side;
use crate::model::condition::{Condition, find_condition};
use crate::model::run::{Run, StageStatus};
use crate::model::time::show_timestamp;
use crate::rule::{Cx, Scope};
use crate::rules::wording::show_command;
use crate::source::Spanned;

declare_rule! {
    /// A run whose stamps tell of a step that the controller does not take.
    ///
    /// ## Why it matters
    /// A stage starts after its gate and after the stage before it has ended; a cluster succeeds after it was started, and
    /// not after its run has failed. Stamps that say otherwise were not written by the controller in one life of the run:
    /// the status was edited or restored, clocks were wrong, or texts of two moments were put together.
    ///
    /// ## What to do
    /// Find out how this status came about before anything is concluded from it.
    pub static ILLEGAL_STEP = Rule {
        code: "FL0914",
        name: "illegal-step",
        severity: Severity::Warning,
        scope: Scope::Bundle,
        reads: &[Kind::Run],
        check: illegal_step,
    }
}

/// Two stamps in the wrong order.
struct Step {
    what: String,
    early: Spanned<Timestamp>,
    late: Spanned<Timestamp>,
}

fn illegal_step(cx: &mut Cx<'_>) {
    for run in cx.runs() {
        for step in replay(run) {
            cx.report(
                ILLEGAL_STEP
                    .at(step.early.span, "too early")
                    .also(step.late.span, "this had to come first")
                    .message(format!(
                        "{} {}: {} ({} before {})",
                        run.meta.key.kind,
                        run.meta.key.path(),
                        step.what,
                        show_timestamp(step.early.value),
                        show_timestamp(step.late.value),
                    ))
                    .help("the controller does not take this step: the status was edited or restored, or belongs to two moments")
                    .certainty(Certainty::Likely)
                    .recover(Recoverability::WaitsForPerson)
                    .command(show_command(&run.meta.key)),
            );
        }
    }
}

/// Goes through a run as its controller does, and returns what stands in the wrong order.
fn replay(run: &Run) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut step =
        |what: String, early: Option<Spanned<Timestamp>>, late: Option<Spanned<Timestamp>>| {
            if let (Some(early), Some(late)) = (early, late)
                && early.value < late.value
            {
                steps.push(Step { what, early, late });
            }
        };
    let initialized = run.condition("Initialized").filter(|c| c.is_true()).and_then(|c| c.since);
    let failed = run.condition("Succeeded").filter(|c| c.is_false()).and_then(|c| c.since);
    let mut before: Option<&StageStatus> = None;
    for stage in run.all_stages() {
        let name = stage.name();
        let start = first_start(stage);
        step(format!("stage {name} started before the run was initialized"), start, initialized);
        let gate = passed(stage, Side::Before);
        step(format!("stage {name} started before its gate was accepted"), start, gate);
        if let Some(before) = before {
            let what = format!("stage {name} started before stage {} had ended", before.name());
            step(what, start, before.end);
            let what = format!(
                "stage {name} started before the gate after {} was accepted",
                before.name()
            );
            step(what, start, passed(before, Side::After));
        }
        for cluster in &stage.clusters {
            let done = cluster.condition("Succeeded").filter(|c| c.is_true()).and_then(|c| c.since);
            let started = cluster.started().and_then(|c| c.since);
            step(
                format!("cluster {} succeeded before it was started", &*cluster.name),
                done,
                started,
            );
            step(
                format!("cluster {} succeeded after the run had failed", &*cluster.name),
                failed,
                done,
            );
        }
        before = Some(stage);
    }
    steps
}

/// Returns when the first cluster of a stage was started.
fn first_start(stage: &StageStatus) -> Option<Spanned<Timestamp>> {
    let started = stage.clusters.iter().filter_map(|cluster| cluster.started()?.since);
    started.min_by_key(|since| since.value)
}

/// Returns when the last gate on one side of a stage was accepted.
fn passed(stage: &StageStatus, side: Side) -> Option<Spanned<Timestamp>> {
    let accepted = |conditions: &[Condition]| {
        find_condition(conditions, "ApprovalRequestApproved").filter(|c| c.is_true())?.since
    };
    let gates = stage.tasks(side).iter().filter_map(|task| accepted(&task.conditions));
    gates.max_by_key(|since| since.value)
}
