//! FL0509 mislabelled-request.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::model::read::Text;
use crate::rule::Cx;
use crate::rules::commands::show_command;

declare_rule! {
    /// An approval request whose labels do not agree with its spec.
    ///
    /// ## Why it matters
    /// The controller writes labels and spec together. Where they differ the request was made or edited by hand.
    /// The label `targetUpdateRun` decides with which run the request is deleted: with a wrong one it outlives its
    /// run, and a later run of the same name finds it and passes the gate at once.
    ///
    /// ## What to do
    /// Delete the request if nobody needs it, or correct the labels.
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
            Some((label, spec))
        });
        if let Some((label, spec)) = differing {
            cx.report(
                MISLABELLED_REQUEST
                    .at(label.span, "the label says this")
                    .also(spec.span, "the spec says this")
                    .message(describe(request.meta.name(), label, spec))
                    .why("a hand-made request: it is not cleaned up with the run that its spec names")
                    .recover(Recoverability::NeedsPatch)
                    .command(show_command(&request.meta.key)),
            );
        }
    }
}

fn describe(name: &str, label: &Text, spec: &Text) -> String {
    format!("{name} is labelled for {} but its spec names {}", &**label, &**spec)
}
