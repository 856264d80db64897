//! FL1120 wait-after-last-stage.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::strategy::Strategy;
use crate::rule::Cx;

declare_rule! {
    /// A timed wait after the last stage.
    ///
    /// ## Why it matters
    /// Nothing follows it; the run only succeeds later.
    ///
    /// ## What to do
    /// Remove it unless the delay is meant.
    pub static WAIT_AFTER_LAST_STAGE = Rule {
        code: "FL1120",
        name: "wait-after-last-stage",
        severity: Severity::Note,
        layer: Layer::Advice,
        reads: &[Kind::Strategy],
        check: wait_after_last_stage,
    }
}

fn wait_after_last_stage(cx: &mut Cx<'_>) {
    for strategy in cx.drafts::<Strategy>() {
        let Some(stage) = strategy.stages.last() else { continue };
        for task in stage.after.iter().filter(|task| task.is_timed_wait()) {
            let finding = WAIT_AFTER_LAST_STAGE
                .at_field(&task.site.place(), "nothing follows")
                .message(format!("{} waits after its last stage {}", strategy.name(), stage.name()))
                .why("it only delays the end of the run");
            cx.report(finding);
        }
    }
}
