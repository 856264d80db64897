//! FL0501 stale-approval.

use crate::declare_rule;
use crate::finding::{Certainty, Finding, Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::model::approval::ApprovalRequest;
use crate::model::condition::Condition;
use crate::model::run::Run;
use crate::rule::Cx;
use crate::rules::commands::patch_approval;

declare_rule! {
    /// An approval that names another generation of its request, so the controller ignores it.
    ///
    /// ## Why it matters
    /// `kubectl get` prints APPROVED `True` from the status alone. The controller also compares the
    /// condition's `observedGeneration` with the request's `metadata.generation`, and a request that was
    /// approved without that field counts as generation 0. The gate stays shut, for ever and silently.
    ///
    /// ## What to do
    /// Approve again with `observedGeneration` equal to the request's `generation` (it is 1 for every
    /// request, because its spec cannot be changed). The status is a subresource: patch it as such.
    /// `kubectl fleet approve` does both right.
    ///
    /// ## When it is silent
    /// The controller has accepted the approval, the run is over, or the gate has been passed.
    pub static STALE_APPROVAL = Rule {
        code: "FL0501",
        name: "stale-approval",
        severity: Severity::Error,
        reads: &[Kind::ApprovalRequest, Kind::Run],
        check: stale_approval,
    }
}

fn stale_approval(cx: &mut Cx<'_>) {
    for request in cx.approval_requests() {
        let Some(approved) = request.approved().filter(|condition| condition.is_true()) else {
            continue;
        };
        let Some(generation) = request.meta.generation else { continue };
        let accepted = request.accepted().is_some_and(|accepted| accepted.is_true());
        if accepted || approved.generation() == generation.value {
            continue;
        }
        let run = cx.find_run_of(request);
        if run.is_some_and(|run| run.is_terminal() || is_passed(run, request)) {
            continue;
        }
        cx.report(describe(request, approved, generation.value, run));
    }
}

fn describe(
    request: &ApprovalRequest,
    approved: &Condition,
    generation: i64,
    run: Option<&Run>,
) -> Finding {
    let given = match approved.observed_generation {
        Some(observed) => format!("it was given for generation {}", observed.value),
        None => "it names no generation, which counts as 0".to_owned(),
    };
    let name = request.show();
    let mut finding = STALE_APPROVAL
        .at(approved.generation_span(), "the approval names this generation")
        .also_at(request.meta.generation.map(|generation| generation.span), "the request is at this one")
        .message(format!("the approval of {name} is ignored: {given}, the request is at generation {generation}"))
        .why(format!(
            "kubectl prints APPROVED True from the status alone; the controller also wants observedGeneration {generation}"
        ))
        .recover(Recoverability::NeedsPatch)
        .command(patch_approval(request, generation));
    if approved.observed_generation.is_none() {
        finding = finding.for_field("status.conditions[Approved].observedGeneration");
        // A cut text may have lost the field.
        if request.meta.partial {
            finding = finding.certainty(Certainty::Likely);
        }
    }
    let Some(run) = run else { return finding };
    if let Some(progress) =
        run.condition("Progressing").filter(|c| c.reason() == "UpdateRunWaiting")
    {
        finding = finding.also(progress.best_span(), "so this gate stays shut");
    }
    if let (Some(stage), Some(side)) = (request.stage_name(), request.side()) {
        finding = finding.explains(Topic::Gate(run.meta.key.clone(), stage.into(), side));
    }
    finding
}

/// Says whether the run has recorded the approval of this request.
fn is_passed(run: &Run, request: &ApprovalRequest) -> bool {
    let tasks = run.all_stages().flat_map(|stage| stage.before.iter().chain(&stage.after));
    let mut own = tasks.filter(|task| task.request.as_deref() == Some(request.meta.name()));
    own.any(|task| task.is("ApprovalRequestApproved"))
}
