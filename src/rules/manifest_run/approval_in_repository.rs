//! FL1215 approval-in-repository.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::approval::ApprovalRequest;
use crate::rule::Cx;

declare_rule! {
    /// An approval request in a repository.
    ///
    /// ## Why it matters
    /// The controller makes approval requests, and an approval is given through the status, which applying a
    /// file drops.
    ///
    /// ## What to do
    /// Approve with `kubectl patch --subresource=status`.
    pub static APPROVAL_IN_REPOSITORY = Rule {
        code: "FL1215",
        name: "approval-in-repository",
        severity: Severity::Warning,
        layer: Layer::Advice,
        reads: &[Kind::ApprovalRequest],
        check: approval_in_repository,
    }
}

fn approval_in_repository(cx: &mut Cx<'_>) {
    for request in cx.drafts::<ApprovalRequest>() {
        let Some(kind) = request.meta.kind() else { continue };
        let finding = APPROVAL_IN_REPOSITORY
            .at_field(&kind.place(), "made by the controller")
            .message(format!("{} {} approves nothing", &*kind, request.name()))
            .why("approve through the status subresource of the request that the controller makes");
        cx.report(finding);
    }
}
