//! FL0508 foreign-request.

use crate::declare_rule;
use crate::finding::Topic;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::{Role, id};
use crate::model::approval::{ApprovalRequest, Side};
use crate::model::key::ObjectKey;
use crate::model::run::Run;
use crate::rule::Cx;
use crate::rules::commands::delete_command;
use crate::rules::failure::{Claim, causes};

declare_rule! {
    /// An approval request that stands under a run's gate name but belongs to another run or stage.
    ///
    /// ## Why it matters
    /// A run takes the request named `<run>-<side>-<stage>` as its own and checks what it says. If its
    /// `parentStageRollout` or `targetStage` is another, the run fails for good when it reaches that gate.
    ///
    /// ## What to do
    /// Delete the request before the run gets there. If the run has failed already: delete the request and make
    /// a new run.
    pub static FOREIGN_REQUEST = Rule {
        code: "FL0508",
        name: "foreign-request",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::ApprovalRequest],
        check: foreign_request,
    }
}

/// A request of another run stands at the gate.
const WRONG_REQUEST: Claim = &[id::EXEC_WRONG_REQUEST, id::EXEC_WRONG_REQUEST_V01];

fn foreign_request(cx: &mut Cx<'_>) {
    shown_requests(cx);
    told_requests(cx);
}

/// Reports requests that the bundle shows.
fn shown_requests(cx: &mut Cx<'_>) {
    for run in cx.runs() {
        for (name, stage) in gate_names(run) {
            let Some(request) = cx.find_request(run, &name) else { continue };
            let Some(wrong) = mismatch(run, &stage, request) else { continue };
            let passed = run.find_stage(&stage).is_some_and(|stage| stage.has_succeeded());
            if passed || run.has_succeeded() {
                continue;
            }
            let fate = if run.failure().is_some() {
                "so the run failed for good"
            } else {
                "so the run will fail when it gets there"
            };
            let mut finding = FOREIGN_REQUEST
                .at(wrong.1, "another run or stage than the name says")
                .message(format!(
                    "{name} stands at the gate of {} but belongs to {}, {fate}",
                    run.meta.name(),
                    wrong.0,
                ))
                .why("a run takes the request under its gate's name and refuses one that names another run or stage")
                .recover(if run.failure().is_some() { Recoverability::RunIsDead } else { Recoverability::NeedsPatch })
                .command(delete_command(&request.meta.key))
                .explains(Topic::Run(run.meta.key.clone()));
            // The words by which the run ended, if this ended it.
            let words = run.failure().and_then(|failure| failure.message.as_ref());
            if let Some(words) = words {
                finding = finding.explains(Topic::Message(words.span));
            }
            if let Some(failure) = run.failure() {
                finding = finding.also(failure.best_span(), "what the run says");
            }
            cx.report(finding);
        }
    }
}

/// Reports requests that only the last words of a run name.
fn told_requests(cx: &mut Cx<'_>) {
    for cause in causes(cx, WRONG_REQUEST) {
        let run = cause.run;
        let Some(path) = cause.named(Role::ApprovalRequest) else { continue };
        let (namespace, name) = path.split_once('/').unwrap_or((run.meta.namespace(), path));
        if cx.find_request(run, name).is_some() {
            continue;
        }
        let kind = if namespace.is_empty() { "ClusterApprovalRequest" } else { "ApprovalRequest" };
        let whose = ["run", "stage"].into_iter().find_map(|what| {
            let role = if what == "run" { Role::Run } else { Role::Stage };
            let mut named = cause.all_named(role).into_iter();
            let (got, want) = (named.next()?, named.next());
            (Some(got) != want).then(|| format!("{what} {got}"))
        });
        let Some(whose) = whose else { continue };
        let finding = FOREIGN_REQUEST
            .at(cause.place(cx, Role::ApprovalRequest), "another run or stage than the name says")
            .message(format!(
                "{kind} {name} names {whose}, so {} refused it and failed for good",
                run.meta.name(),
            ))
            .why("a run takes the request under its gate's name and refuses one that names another run or stage")
            .recover(Recoverability::RunIsDead)
            .command(delete_command(&ObjectKey::on_hub(kind, namespace, name)));
        let finding = cause.settle(cx, finding);
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
                names.push((
                    ApprovalRequest::name_of(run.meta.name(), side, stage.name()),
                    stage.name().to_owned(),
                ));
            }
        }
    }
    names
}

/// Returns what the request says instead, and where.
fn mismatch(
    run: &Run,
    stage: &str,
    request: &ApprovalRequest,
) -> Option<(String, crate::source::Span)> {
    let parent = request.run.as_ref().filter(|parent| &***parent != run.meta.name());
    let target = request.stage.as_ref().filter(|target| &***target != stage);
    let parent = parent.map(|parent| (format!("run {}", &**parent), parent.span));
    parent.or_else(|| target.map(|target| (format!("stage {}", &**target), target.span)))
}
