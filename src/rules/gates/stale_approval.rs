//! FL0501 stale-approval.

use std::cmp::Ordering;

use crate::declare_rule;
use crate::facts::gate::Gate;
use crate::finding::{Certainty, Command, Finding, Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::model::approval::ApprovalRequest;
use crate::model::condition::Condition;
use crate::model::run::Run;
use crate::rule::Cx;
use crate::rules::commands::{look_at_hub, patch_approval};
use crate::rules::gates::after_gate::after_gate_of;

declare_rule! {
    /// An approval that names another generation of its request, so that it does not count.
    ///
    /// ## Why it matters
    /// `kubectl get` shows APPROVED `True` from the status alone. The controller also compares the
    /// condition's `observedGeneration` with the request's `metadata.generation`, and a request that was
    /// approved without that field counts as generation 0. The gate stays shut, permanently and silently.
    ///
    /// ## What to do
    /// Approve again with `observedGeneration` equal to the request's `generation` (it is 1 for every
    /// request, because its spec cannot be changed). The status is a subresource: patch it as such.
    /// `kubectl fleet approve` does both right.
    ///
    /// ## When it is silent
    /// The controller has accepted the approval, the run is over, or the gate has been passed. Where the run waits at another
    /// gate, this approval is not why it waits, and is told as a note.
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
        if run.is_some_and(|run| run.is_terminal() || is_recorded(run, request)) {
            continue;
        }
        let gates = cx.open_gates();
        let waits = run.and_then(|run| gates.iter().find(|gate| gate.run.meta.key == run.meta.key));
        let elsewhere = waits.filter(|gate| !is_at(gate, request));
        let finding = describe(request, approved, generation.value, run);
        cx.report(match (elsewhere, run) {
            (Some(gate), _) => at_another_gate(finding, request, gate),
            (None, Some(run)) => at_this_gate(finding, request, run, generation.value),
            (None, None) if request.meta.key.name.is_empty() => {
                finding.command(find_request(request))
            }
            (None, None) => {
                let effect = "opens the gate, and keeps the words and the time of the approver";
                finding.command(patch_approval(request, generation.value, effect))
            }
        });
    }
}

/// Returns the command that shows the name of a request which was pasted without it.
fn find_request(request: &ApprovalRequest) -> Option<Command> {
    let (run, namespace) = (request.run_name()?, request.meta.namespace());
    let look = look_at_hub().words("get").resource(&request.meta.key.kind).namespace(namespace);
    let effect = format!("shows the requests of {run}, by name; approve this one again");
    look.words("-l").label("kubernetes-fleet.io/targetUpdateRun", run, "").effect(effect).build()
}

/// Says whether a request is the one that opens a gate; a piece of one may not tell.
fn is_at(gate: &Gate<'_>, request: &ApprovalRequest) -> bool {
    let unknown = request.stage_name().is_none() || request.side().is_none();
    request.meta.name() == gate.request_name()
        || unknown
        || gate.order_of(request) == Some(Ordering::Equal)
}

fn describe(
    request: &ApprovalRequest,
    approved: &Condition,
    generation: i64,
    run: Option<&Run>,
) -> Finding {
    let name = request.show();
    let message = match approved.observed_generation {
        Some(observed) => format!(
            "The approval of {name} does not count: it names generation {}, and the request is at \
             generation {generation}.",
            observed.value
        ),
        None => format!(
            "The approval of {name} does not count: it has no observedGeneration, which counts as \
             0. The request is at generation {generation}."
        ),
    };
    let label = match approved.observed_generation {
        Some(observed) => format!("the approval names generation {}", observed.value),
        None => "no observedGeneration here".to_owned(),
    };
    let place = request.meta.generation.map(|generation| generation.span);
    let mut finding = STALE_APPROVAL
        .at(approved.generation_span(), label)
        .also_at(place, format!("the request is at generation {generation}"))
        .message(message)
        .why(
            "kubectl shows APPROVED True, but the controller only accepts an approval whose \
             observedGeneration equals the generation of the request.",
        )
        .then(match run {
            Some(run) => {
                format!("{} continues within seconds of a valid approval.", run.meta.title())
            }
            None => format!(
                "{} continues within seconds of a valid approval.",
                request.run_name().unwrap_or("The run")
            ),
        })
        .hint("kubectl fleet approve sets observedGeneration for you.")
        .recover(Recoverability::NeedsPatch);
    if approved.observed_generation.is_none() {
        finding = finding.for_field("status.conditions[Approved].observedGeneration");
        // A cut text may have lost the field.
        if request.meta.partial {
            finding = finding.certainty(Certainty::Likely);
        }
    }
    finding
}

/// The run waits for this very approval, as far as the bundle tells.
fn at_this_gate(
    mut finding: Finding,
    request: &ApprovalRequest,
    run: &Run,
    generation: i64,
) -> Finding {
    let waiting = |c: &&Condition| c.reason() == "UpdateRunWaiting";
    if let Some(progress) = run.condition("Progressing").filter(waiting) {
        finding = finding.also(progress.best_span(), "so the run still waits here");
    }
    let gate = request.stage_name().zip(request.side());
    let words = request.approved().map(Condition::message).filter(|words| !words.is_empty());
    let kept =
        words.map_or("the approver's time".to_owned(), |words| format!("\"{words}\" and its time"));
    let effect = match gate {
        Some((stage, side)) => {
            format!("opens the gate {} stage {stage}, keeps {kept}", side.word())
        }
        None => format!("opens the gate, keeps {kept}"),
    };
    finding = finding.command(patch_approval(request, generation, effect));
    let Some((stage, side)) = gate else { return finding };
    let topic = Topic::Gate(run.meta.key.clone(), stage.into(), side);
    finding.then(after_gate_of(run, stage, side)).explains(topic)
}

/// The run waits at another gate: this approval is not why, and correcting it opens nothing now.
fn at_another_gate(finding: Finding, request: &ApprovalRequest, gate: &Gate<'_>) -> Finding {
    let (name, title) = (gate.run.meta.name(), gate.run.meta.title());
    let (waits, own) = (gate.show(), request.meta.name());
    let finding = finding.also(gate.progress.best_span(), format!("{name} waits {waits}"));
    let finding = match gate.order_of(request) {
        Some(Ordering::Less) => finding.severity(Severity::Note).then(format!(
            "{title} has passed this gate and waits {waits}. No action needed here."
        )),
        // It holds the run up when it gets there.
        Some(_) => finding
            .severity(Severity::Warning)
            .then(format!("{title} waits {waits} now. Approve {own} again when it gets there.")),
        None => finding
            .severity(Severity::Warning)
            .certainty(Certainty::Likely)
            .then(format!("{title} waits {waits}, which {own} does not open.")),
    };
    finding.recover(Recoverability::WaitsForPerson)
}

/// Says whether the run has recorded the approval of this request.
fn is_recorded(run: &Run, request: &ApprovalRequest) -> bool {
    let tasks = run.all_stages().flat_map(|stage| stage.before.iter().chain(&stage.after));
    let mut own = tasks.filter(|task| task.request.as_deref() == Some(request.meta.name()));
    own.any(|task| task.is("ApprovalRequestApproved"))
}
