//! FL0508 foreign-request.

use crate::declare_rule;
use crate::facts::after_repair::Repair;
use crate::finding::{Finding, Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::grammar::message::{HoleRole, id};
use crate::model::approval::{ApprovalRequest, Side};
use crate::model::run::Run;
use crate::rule::Cx;
use crate::rules::commands::{delete_for, set_state_for};
use crate::rules::run_failure::{ClaimedMessages, causes, finish_failed_run};
use crate::source::Span;

declare_rule! {
    /// An approval request that stands under a run's gate name but belongs to another run or stage.
    ///
    /// ## Why it matters
    /// A run takes the request named `<run>-<side>-<stage>` as its own and checks what it says. If its
    /// `parentStageRollout` or `targetStage` is another, the run fails permanently when it reaches that gate.
    ///
    /// ## What to do
    /// Delete the request before the run gets there. If the run has failed already, create a new run: its requests have
    /// other names.
    pub static FOREIGN_REQUEST = Rule {
        code: "FL0508",
        name: "foreign-request",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::ApprovalRequest],
        check: foreign_request,
    }
}

/// A request of another run stands at the gate.
const WRONG_REQUEST: ClaimedMessages = &[id::EXEC_WRONG_REQUEST, id::EXEC_WRONG_REQUEST_V01];

const WHY: &str = "A run takes the request under its gate's name. It refuses one that names \
                   another run or stage.";

fn foreign_request(cx: &mut Cx<'_>) {
    for run in cx.runs().iter().filter(|run| !run.has_succeeded()) {
        for (name, stage) in gate_names(run) {
            let Some(request) = cx.find_request(run, &name) else { continue };
            let Some((whose, place)) = mismatch(run, &stage, request) else { continue };
            if run.find_stage(&stage).is_some_and(|stage| stage.has_succeeded()) {
                continue;
            }
            let finding = match run.failure() {
                Some(failure) => {
                    let label = format!("how {} reports it", run.meta.name());
                    let finding = refused(run, request, &whose, place);
                    let finding = finding.also(failure.best_span(), label);
                    let outlook = cx.outlook_of_run(run, Repair::Run);
                    finish_failed_run(cx, run, finding, outlook)
                }
                None => ahead(run, request, &whose, place),
            };
            cx.report(finding);
        }
    }
    requests_in_messages(cx);
}

/// Describes a request that ended its run.
fn refused(run: &Run, request: &ApprovalRequest, whose: &str, place: Span) -> Finding {
    FOREIGN_REQUEST
        .at(place, "another run or stage than the name says")
        .message(format!(
            "{} {} names {whose}, so {} refused it and failed.",
            request.meta.key.kind,
            request.meta.name(),
            run.meta.name(),
        ))
        .why(WHY)
}

/// Describes a request that will end its run.
fn ahead(run: &Run, request: &ApprovalRequest, whose: &str, place: Span) -> Finding {
    let (name, of) = (request.meta.name(), run.meta.name());
    let stop = format!("stops {of} before it reaches the gate");
    let delete = format!("removes {name}; the controller creates it for {of} when it gets there");
    FOREIGN_REQUEST
        .at(place, "another run or stage than the name says")
        .message(format!(
            "{} {name} stands at a gate of {of} but names {whose}.",
            request.meta.key.kind
        ))
        .why(WHY)
        .then(format!("{} fails when it reaches that gate.", run.meta.title()))
        .recover(Recoverability::NeedsPatch)
        .command(set_state_for(&run.meta.key, "Stop", stop))
        .command(delete_for(&request.meta.key, delete))
        .explains(Topic::Run(run.meta.key.clone()))
}

/// Reports requests that only the last words of a run name.
fn requests_in_messages(cx: &mut Cx<'_>) {
    for cause in causes(cx, WRONG_REQUEST) {
        let run = cause.run;
        let Some(path) = cause.named(HoleRole::ApprovalRequest) else { continue };
        let (namespace, name) = path.split_once('/').unwrap_or((run.meta.namespace(), path));
        if cx.find_request(run, name).is_some() {
            continue;
        }
        let kind = Kind::ApprovalRequest.in_namespace(namespace);
        let whose = [("run", HoleRole::Run), ("stage", HoleRole::Stage)].into_iter().find_map(
            |(what, role)| {
                let mut named = cause.all_named(role).into_iter();
                let (got, want) = (named.next()?, named.next());
                (Some(got) != want).then(|| format!("{what} {got}"))
            },
        );
        let Some(whose) = whose else { continue };
        let finding = FOREIGN_REQUEST
            .at(
                cause.place(cx, HoleRole::ApprovalRequest),
                "another run or stage than the name says",
            )
            .message(format!(
                "{kind} {name} names {whose}, so {} refused it and failed.",
                run.meta.name(),
            ))
            .why(WHY);
        let finding = cause.finish_failed_run(cx, finding, Repair::Run);
        cx.report(finding);
    }
}

/// Returns the request names of every gate of a run, with the stage.
fn gate_names(run: &Run) -> Vec<(String, String)> {
    let mut names = Vec::new();
    for stage in run.frozen_stages.iter().flatten() {
        let sides = [(Side::Before, &stage.before), (Side::After, &stage.after)];
        for (side, tasks) in sides {
            if tasks.iter().any(|task| task.is_approval()) {
                let name = ApprovalRequest::name_of(run.meta.name(), side, stage.name());
                names.push((name, stage.name().to_owned()));
            }
        }
    }
    names
}

/// Returns what the request says instead, and where.
fn mismatch(run: &Run, stage: &str, request: &ApprovalRequest) -> Option<(String, Span)> {
    let parent = request.run.as_ref().filter(|parent| **parent != run.meta.name());
    let target = request.stage.as_ref().filter(|target| **target != stage);
    let parent = parent.map(|parent| (format!("run {}", &**parent), parent.span));
    parent.or_else(|| target.map(|target| (format!("stage {}", &**target), target.span)))
}
