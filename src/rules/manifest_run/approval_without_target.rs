//! FL1217 approval-without-target.

use crate::declare_rule;
use crate::finding::Finding;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::kube::spelling::nearest_name;
use crate::manifest::Draft;
use crate::model::approval::ApprovalRequest;
use crate::model::read::Text;
use crate::model::run::Run;
use crate::rule::Cx;

declare_rule! {
    /// An approval request for a gate that does not exist.
    ///
    /// ## Why it matters
    /// Its run or stage is not found here, or the stage asks for no approval.
    ///
    /// ## What to do
    /// Remove it.
    pub static APPROVAL_WITHOUT_TARGET = Rule {
        code: "FL1217",
        name: "approval-without-target",
        severity: Severity::Warning,
        layer: Layer::Advice,
        reads: &[Kind::ApprovalRequest, Kind::Run, Kind::Strategy],
        check: approval_without_target,
    }
}

fn approval_without_target(cx: &mut Cx<'_>) {
    let repository = cx.repository();
    for request in cx.drafts::<ApprovalRequest>() {
        let (Some(name), Some(stage)) = (&request.run, &request.stage) else { continue };
        let namespace = request.meta.namespace();
        let run = repository
            .all::<Run>()
            .find(|run| run.meta.namespace() == namespace && run.name() == &**name);
        let Some(run) = run else {
            let kind = Kind::Run.in_scope(request.manifest.scope());
            let near = repository.nearest(request.manifest.span, kind, namespace, name);
            let lone = finding(name, "there is no such run here", request).meant(near);
            cx.report(cx.missing(lone));
            continue;
        };
        if !repository.is_together(request.manifest.span, run.manifest.span) {
            continue;
        }
        let Some(strategy) = repository.strategy_of(run) else { continue };
        let mut near = None;
        let why = match strategy.stages.iter().find(|found| found.name() == &**stage) {
            None => {
                near = nearest_name(stage, strategy.stages.iter().map(|found| found.name()));
                "the strategy has no such stage"
            }
            Some(found) if !found.asks_for_approval() => "the stage asks for no approval",
            Some(_) => continue,
        };
        cx.report(finding(stage, why, request).meant(near));
    }
}

fn finding(at: &Text, why: &str, request: Draft<'_, ApprovalRequest>) -> Finding {
    let (kind, name) = (&request.meta.key.kind, request.name());
    APPROVAL_WITHOUT_TARGET
        .at_field(&at.place(), why)
        .message(format!("{kind} {name} approves nothing: {why}"))
        .why("an approval counts only for a gate that a run has")
}
