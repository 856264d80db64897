//! FL1114 wait-missing.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::strategy::Strategy;
use crate::rule::Cx;
use crate::rules::manifest_strategy::stage::is_ratcheted;

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
        check: wait_missing,
    }
}

fn wait_missing(cx: &mut Cx<'_>) {
    for strategy in cx.drafts::<Strategy>() {
        let rule = strategy.manifest.server_rule("after-wait-missing");
        let layer = if rule.is_some() { Layer::ApiServer } else { Layer::Controller };
        let help =
            rule.map_or("every run of this strategy fails at initialization", |rule| &rule.message);
        for stage in strategy.stages.iter().filter(|stage| !is_ratcheted(&strategy, &stage.after)) {
            for task in stage.after.iter().filter(|task| task.is_timed_wait()) {
                if task.site.absent("waitTime").is_none() {
                    continue;
                }
                let name = stage.name();
                let finding = WAIT_MISSING
                    .at_field(&task.site.place(), "no waitTime here")
                    .layer(layer)
                    .message(format!("the timed wait after stage {name} does not say how long"))
                    .why(help);
                cx.report(finding);
            }
        }
    }
}
