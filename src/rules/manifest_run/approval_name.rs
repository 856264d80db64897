//! FL1216 approval-name.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::approval::{ApprovalRequest, Side};
use crate::rule::Cx;

declare_rule! {
    /// An approval request whose name no controller looks for.
    ///
    /// ## Why it matters
    /// A run looks for `<run>-before-<stage>` and `<run>-after-<stage>` only.
    ///
    /// ## What to do
    /// Do not make approval requests by hand.
    pub static APPROVAL_NAME = Rule {
        code: "FL1216",
        name: "approval-name",
        severity: Severity::Warning,
        layer: Layer::Advice,
        reads: &[Kind::ApprovalRequest],
        check: approval_name,
    }
}

fn approval_name(cx: &mut Cx<'_>) {
    for request in cx.drafts::<ApprovalRequest>() {
        let (Some(run), Some(stage)) = (request.run.as_deref(), request.stage.as_deref()) else {
            continue;
        };
        let [before, after] =
            [Side::Before, Side::After].map(|side| ApprovalRequest::name_of(run, side, stage));
        if [&before, &after].iter().any(|name| *name == request.name()) {
            continue;
        }
        let finding = APPROVAL_NAME
            .at_field(&request.manifest.name_place(), "nobody looks for this name")
            .message(format!("{} {} is never read", request.meta.key.kind, request.name()))
            .why(format!("run {run} looks for {before} and {after}"));
        cx.report(finding);
    }
}
