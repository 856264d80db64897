//! FL1217 approval-without-target.

use crate::declare_rule;
use crate::finding::Finding;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::{Manifest, Place};
use crate::rule::ManifestCx;
use crate::rules::manifest_strategy::stage::stages;

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
        manifest: approval_without_target,
    }
}

fn approval_without_target(cx: &mut ManifestCx<'_>) {
    let repository = cx.repository();
    for request in cx.of(Kind::ApprovalRequest) {
        let root = request.stored();
        let Some(spec) = root.get("spec") else { continue };
        let (Some(name), Some(stage)) = (spec.get("parentStageRollout"), spec.get("targetStage"))
        else {
            continue;
        };
        let runs =
            repository.of(Kind::Run).filter(|run| run.key.namespace == request.key.namespace);
        let run = runs.into_iter().find(|run| Some(run.name()) == name.str());
        let (place, why) = match run.map(|run| repository.strategy_of(run)) {
            None => {
                let lone = finding(&name.place(), "there is no such run here", request);
                cx.report(cx.missing(lone));
                continue;
            }
            Some(None) => continue,
            Some(Some(strategy)) => {
                let stages = stages(strategy);
                let Some(found) = stages.iter().find(|s| s.text("name") == stage.str()) else {
                    cx.report(finding(&stage.place(), "the strategy has no such stage", request));
                    continue;
                };
                let gate = ["beforeStageTasks", "afterStageTasks"].iter().any(|key| {
                    found.list(key).iter().any(|task| task.text("type") == Some("Approval"))
                });
                if gate {
                    continue;
                }
                (stage.place(), "the stage asks for no approval")
            }
        };
        cx.report(finding(&place, why, request));
    }
}

fn finding(place: &Place, why: &str, request: &Manifest) -> Finding {
    APPROVAL_WITHOUT_TARGET
        .on(place, why)
        .message(format!("{} {} approves nothing: {why}", request.key.kind, request.name()))
        .help("an approval counts only for a gate that a run has")
}
