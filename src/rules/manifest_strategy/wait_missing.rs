//! FL1114 wait-missing.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::rule::ManifestCx;
use crate::rules::manifest_strategy::stage::stages;

declare_rule! {
    /// A timed wait after a stage that does not say how long.
    ///
    /// ## Why it matters
    /// The API server refuses the strategy; where an old version let it through, every run of it fails at
    /// initialization.
    ///
    /// ## What to do
    /// Add `waitTime`, like `waitTime: 1h`.
    pub static WAIT_MISSING = Rule {
        code: "FL1114",
        name: "wait-missing",
        severity: Severity::Error,
        layer: Layer::ApiServer,
        reads: &[Kind::Strategy],
        manifest: wait_missing,
    }
}

fn wait_missing(cx: &mut ManifestCx<'_>) {
    for manifest in cx.of(Kind::Strategy) {
        let rule = manifest.server_rule("after-wait-missing");
        for stage in stages(manifest) {
            let Some(tasks) = stage.get("afterStageTasks") else { continue };
            for task in tasks.items() {
                let timed = task.text("type") == Some("TimedWait");
                if !timed || task.get("waitTime").is_some() || manifest.is_ratcheted(&tasks.place())
                {
                    continue;
                }
                let name = stage.text("name").unwrap_or_default();
                let layer = if rule.is_some() { Layer::ApiServer } else { Layer::Controller };
                let finding = WAIT_MISSING
                    .on(&task.place(), "no waitTime here")
                    .layer(layer)
                    .message(format!("the timed wait after stage {name} does not say how long"))
                    .help(
                        rule.map_or("every run of this strategy fails at initialization", |rule| {
                            &rule.message
                        }),
                    );
                cx.report(finding);
            }
        }
    }
}
