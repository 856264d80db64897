//! FL1120 wait-after-last-stage.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::rule::ManifestCx;
use crate::rules::manifest_strategy::stage::stages;

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
        manifest: wait_after_last_stage,
    }
}

fn wait_after_last_stage(cx: &mut ManifestCx<'_>) {
    for manifest in cx.of(Kind::Strategy) {
        let stages = stages(manifest);
        let Some(stage) = stages.last() else { continue };
        for task in stage
            .list("afterStageTasks")
            .iter()
            .filter(|task| task.text("type") == Some("TimedWait"))
        {
            let finding = WAIT_AFTER_LAST_STAGE
                .on(&task.place(), "nothing follows")
                .message(format!(
                    "{} waits after its last stage {}",
                    manifest.name(),
                    stage.text("name").unwrap_or_default()
                ))
                .help("it only delays the end of the run");
            cx.report(finding);
        }
    }
}
