//! FL1216 approval-name.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::rule::ManifestCx;

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
        manifest: approval_name,
    }
}

fn approval_name(cx: &mut ManifestCx<'_>) {
    for request in cx.of(Kind::ApprovalRequest) {
        let root = request.stored();
        let Some(spec) = root.get("spec") else { continue };
        let (Some(run), Some(stage)) = (spec.text("parentStageRollout"), spec.text("targetStage"))
        else {
            continue;
        };
        let wanted = [format!("{run}-before-{stage}"), format!("{run}-after-{stage}")];
        if wanted.iter().any(|name| name == request.name()) {
            continue;
        }
        let finding = APPROVAL_NAME
            .on(&request.name_place(), "nobody looks for this name")
            .message(format!("{} {} is never read", request.key.kind, request.name()))
            .help(format!("run {run} looks for {} and {}", wanted[0], wanted[1]));
        cx.report(finding);
    }
}
