//! FL1118 timed-wait-before-stage.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::rule::ManifestCx;
use crate::rules::manifest_strategy::stage::stages;

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
        manifest: timed_wait_before_stage,
    }
}

fn timed_wait_before_stage(cx: &mut ManifestCx<'_>) {
    for manifest in cx.of(Kind::Strategy) {
        let Some(rule) = manifest.server_rule("before-timed-wait") else { continue };
        for stage in stages(manifest) {
            let Some(tasks) = stage.get("beforeStageTasks") else { continue };
            if manifest.is_ratcheted(&tasks.place()) {
                continue;
            }
            for task in tasks.items().iter().filter(|task| task.text("type") == Some("TimedWait")) {
                let name = stage.text("name").unwrap_or_default();
                let finding = TIMED_WAIT_BEFORE_STAGE
                    .on(&task.place(), "only Approval may stand here")
                    .message(format!("a timed wait stands before stage {name}: {}", rule.message))
                    .help("put it among the tasks after the stage before");
                cx.report(finding);
            }
        }
    }
}
