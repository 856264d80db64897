//! FL0914 illegal-step.

use jiff::Timestamp;

use crate::declare_rule;
use crate::finding::{Certainty, Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::kube::time::show_timestamp;
use crate::model::approval::Side;
use crate::model::condition::{Condition, find_condition};
use crate::model::run::{ClusterStatus, Run, StageStatus, TaskStatus};
use crate::rule::Cx;
use crate::rules::commands::show_command;
use crate::rules::logs::binding_takeovers::logged_takeovers;
use crate::source::{Span, Spanned};

declare_rule! {
    /// A run whose status tells of a step that the controller does not take, or lacks one that it takes.
    ///
    /// ## Why it matters
    /// A stage starts after its gate and after the stage before it has ended; a cluster succeeds after it was started, and
    /// neither after its run has failed nor after it was pre-empted; a stage ends when all its clusters are done and its
    /// tasks have passed. A status that says otherwise was not written by the controller in one life of the run: it was
    /// edited or restored, clocks were wrong, or texts of two moments were put together.
    ///
    /// ## What to do
    /// Find out how this status came about before anything is concluded from it.
    pub static ILLEGAL_STEP = Rule {
        code: "FL0914",
        name: "illegal-step",
        severity: Severity::Warning,
        reads: &[Kind::Run],
        check: illegal_step,
    }
}

/// Something in the status that does not fit to something else.
struct Step {
    what: String,
    at: (Span, &'static str),
    against: (Span, &'static str),
}

fn illegal_step(cx: &mut Cx<'_>) {
    for run in cx.runs() {
        let key = &run.meta.key;
        let finding = |step: &Step| {
            ILLEGAL_STEP
                .at(step.at.0, step.at.1)
                .message(format!(
                    "{} {} shows an impossible step: {}.",
                    key.kind,
                    key.path(),
                    step.what
                ))
                .why(
                    "The controller does not take this step. Someone edited or restored the \
                     status, or it belongs to two moments.",
                )
                .certainty(Certainty::Likely)
                .recover(Recoverability::WaitsForPerson)
                .command(show_command(key))
        };
        for step in wrong_order(run).into_iter().chain(missing(run)) {
            cx.report(finding(&step).also(step.against.0, step.against.1));
        }
        for step in done_though_lost(cx, run) {
            let (span, label) = step.against;
            cx.report(finding(&step).also_log(span, label, Some(key.clone())));
        }
    }
}

/// Goes through a run as its controller does, and returns what stands in the wrong order.
///
/// Stamps have whole seconds, so that equal ones are in order.
fn wrong_order(run: &Run) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut step = |what: String, early: Stamp, late: Stamp| {
        if let (Some(early), Some(late)) = (early, late)
            && early.value < late.value
        {
            let (first, then) = (show_timestamp(early.value), show_timestamp(late.value));
            steps.push(Step {
                what: format!("{what} ({first} before {then})"),
                at: (early.span, "too early"),
                against: (late.span, "this had to come first"),
            });
        }
    };
    let initialized = run.condition("Initialized").filter(|c| c.is_true()).and_then(|c| c.since);
    let failed = run.condition("Succeeded").filter(|c| c.is_false()).and_then(|c| c.since);
    let mut before: Option<&StageStatus> = None;
    for stage in run.all_stages() {
        let name = stage.name();
        let start = first_start(stage);
        step(format!("stage {name} started before the run was initialized"), start, initialized);
        let gate = passed_at(stage, Side::Before);
        step(format!("stage {name} started before its gate was accepted"), start, gate);
        if let Some(before) = before {
            let other = before.name();
            step(format!("stage {name} started before stage {other} had ended"), start, before.end);
            let what = format!("stage {name} started before the gate after {other} was accepted");
            step(what, start, passed_at(before, Side::After));
        }
        for cluster in &stage.clusters {
            let name = &*cluster.name;
            let done = done(cluster).and_then(|c| c.since);
            let started = cluster.started().and_then(|c| c.since);
            step(format!("cluster {name} succeeded before it was started"), done, started);
            step(format!("cluster {name} succeeded after the run had failed"), failed, done);
        }
        before = Some(stage);
    }
    steps
}

/// Returns what happened although a step before it is missing.
fn missing(run: &Run) -> Vec<Step> {
    let mut steps = Vec::new();
    // What was left out of a text is no missing step.
    if run.meta.partial {
        return steps;
    }
    let succeeded = |conditions: &[Condition]| {
        find_condition(conditions, "Succeeded").filter(|c| c.is_true()).map(|c| c.status.span)
    };
    let mut step = |what: String, at: Span, lacks: Span| {
        steps.push(Step { what, at: (at, "this"), against: (lacks, "without this") });
    };
    for stage in &run.stages {
        let name = stage.name();
        if let Some(at) = succeeded(&run.conditions).filter(|_| !stage.has_succeeded()) {
            step(format!("the run succeeded, but stage {name} has not"), at, stage.span.start());
        }
        let ended = succeeded(&stage.conditions);
        for cluster in &stage.clusters {
            let (cluster_name, place) = (&*cluster.name, cluster.name.span);
            let done = done(cluster);
            if let (Some(at), None) = (ended, done) {
                let what =
                    format!("stage {name} succeeded, but its cluster {cluster_name} has not");
                step(what, at, place);
            }
            let started = cluster.started().filter(|c| c.is_true());
            if let (Some(done), None) = (done, started) {
                let what = format!("cluster {cluster_name} succeeded without having been started");
                step(what, done.status.span, place);
            }
            let shut = stage.before.iter().find(|task| !has_passed(task));
            if let (Some(started), Some(task)) = (started, shut) {
                let what = format!("stage {name} started, but its gate was not accepted");
                step(what, started.status.span, task.span.start());
            }
        }
        // A stage without clusters is skipped with its tasks.
        let open = stage.after.iter().find(|task| !has_passed(task) && !stage.clusters.is_empty());
        if let (Some(at), Some(task)) = (ended, open) {
            let what = format!("stage {name} succeeded, but a task after it has not passed");
            step(what, at, task.span.start());
        }
    }
    steps
}

/// Returns the clusters that succeeded after the log shows that they were taken from the run.
fn done_though_lost(cx: &Cx<'_>, run: &Run) -> Vec<Step> {
    let meta = &run.meta;
    let own = logged_takeovers(cx)
        .into_iter()
        .filter(|loss| *loss.run.name == *meta.name() && *loss.run.namespace == *meta.namespace());
    let steps = own.filter_map(|loss| {
        let (lost, created) = (loss.event.time?, meta.created?.value);
        let (_, cluster) = run.find_cluster(loss.cluster.as_deref()?)?;
        let since = done(cluster)?.since?;
        // A run of the same name that was made later has nothing to do with the line.
        (created < lost && lost.as_second() < since.value.as_second()).then(|| Step {
            what: format!("cluster {} succeeded after it was pre-empted", &*cluster.name),
            at: (since.span, "succeeded here"),
            against: (loss.event.span, "pre-empted before"),
        })
    });
    steps.collect()
}

type Stamp = Option<Spanned<Timestamp>>;

/// Returns the condition by which a cluster is done.
fn done(cluster: &ClusterStatus) -> Option<&Condition> {
    cluster.condition("Succeeded").filter(|condition| condition.is_true())
}

/// Returns when the first cluster of a stage was started.
fn first_start(stage: &StageStatus) -> Stamp {
    let started = stage.clusters.iter().filter_map(|cluster| cluster.started()?.since);
    started.min_by_key(|since| since.value)
}

/// Returns when the last gate on one side of a stage was accepted.
fn passed_at(stage: &StageStatus, side: Side) -> Stamp {
    let accepted = |conditions: &[Condition]| {
        find_condition(conditions, "ApprovalRequestApproved").filter(|c| c.is_true())?.since
    };
    let gates = stage.tasks(side).iter().filter_map(|task| accepted(&task.conditions));
    gates.max_by_key(|since| since.value)
}

/// Says whether a task has passed; one of an unknown type is taken to have.
fn has_passed(task: &TaskStatus) -> bool {
    let ending = match task.kind.as_deref() {
        Some("Approval") => "Approved",
        Some("TimedWait") => "WaitTimeElapsed",
        _ => return true,
    };
    task.conditions.iter().any(|condition| condition.is_true() && condition.kind.ends_with(ending))
}
