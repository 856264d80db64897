//! FL0509 mislabelled-request.

use crate::declare_rule;
use crate::finding::{Command, Finding, Recoverability, Risk, RunsOn, Severity};
use crate::grammar::kind::Kind;
use crate::model::approval::ApprovalRequest;
use crate::model::read::Text;
use crate::rule::Cx;

declare_rule! {
    /// An approval request whose labels do not agree with its spec.
    ///
    /// ## Why it matters
    /// The controller writes labels and spec together. Where they differ, someone created or edited the request by hand.
    /// The label `targetUpdateRun` decides with which run the request is deleted: with a wrong one it outlives its
    /// run, and a later run of the same name finds it and passes the gate at once.
    ///
    /// ## What to do
    /// Correct the labels, or delete the request if no one needs it.
    ///
    /// ## Also covered
    /// A request whose `isLatestUpdateRunApproval` is not `true` was edited as well; no controller reads that label.
    pub static MISLABELLED_REQUEST = Rule {
        code: "FL0509",
        name: "mislabelled-request",
        severity: Severity::Warning,
        reads: &[Kind::ApprovalRequest],
        check: mislabelled_request,
    }
}

fn mislabelled_request(cx: &mut Cx<'_>) {
    for request in cx.approval_requests() {
        let pairs = [
            ("kubernetes-fleet.io/targetUpdateRun", &request.run),
            ("kubernetes-fleet.io/targetUpdatingStage", &request.stage),
        ];
        let differing = pairs.into_iter().find_map(|(key, spec)| {
            let label = request.meta.label(key)?;
            let spec = spec.as_ref().filter(|spec| spec.value != label.value)?;
            Some((key, label, spec))
        });
        if let Some((key, label, spec)) = differing {
            cx.report(describe(request, key, label, spec));
        }
    }
}

fn describe(request: &ApprovalRequest, key: &str, label: &Text, spec: &Text) -> Finding {
    let name = request.meta.title();
    let command = Command::kubectl(Risk::Reversible, RunsOn::Hub).words("label");
    let command = command.object(&request.meta.key).label(key, spec, "").words("--overwrite");
    let effect = "makes the label agree with the spec";
    MISLABELLED_REQUEST
        .at(label.span, "the label says this")
        .also(spec.span, "the spec says this")
        .message(format!("{name} is labelled for {}, but its spec names {}.", &**label, &**spec))
        .why("The controller writes both alike. Someone created or edited this request by hand.")
        .then(format!("{name} stays behind when the run that its spec names is deleted."))
        .recover(Recoverability::NeedsPatch)
        .command(command.effect(effect).build())
}
