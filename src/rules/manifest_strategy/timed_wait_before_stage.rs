//! FL1118 timed-wait-before-stage.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::strategy::Strategy;
use crate::rule::Cx;
use crate::rules::manifest_strategy::stage::is_ratcheted;

declare_rule! {
    /// A timed wait before a stage, where only an approval may stand.
    ///
    /// ## Why it matters
    /// The API server refuses it.
    ///
    /// ## What to do
    /// Put the wait after the stage before, or ask for an approval.
    pub static TIMED_WAIT_BEFORE_STAGE = Rule {
        code: "FL1118",
        name: "timed-wait-before-stage",
        severity: Severity::Error,
        layer: Layer::ApiServer,
        reads: &[Kind::Strategy],
        check: timed_wait_before_stage,
    }
}

fn timed_wait_before_stage(cx: &mut Cx<'_>) {
    for strategy in cx.drafts::<Strategy>() {
        let Some(rule) = strategy.manifest.server_rule("before-timed-wait") else { continue };
        for stage in strategy.stages.iter().filter(|stage| !is_ratcheted(&strategy, &stage.before))
        {
            for task in stage.before.iter().filter(|task| task.is_timed_wait()) {
                let name = stage.name();
                let finding = TIMED_WAIT_BEFORE_STAGE
                    .at_field(&task.site.place(), "only Approval may stand here")
                    .message(format!("a timed wait stands before stage {name}: {}", rule.message))
                    .hint("put it among the tasks after the stage before");
                cx.report(finding);
            }
        }
    }
}
