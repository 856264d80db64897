//! FL1112 concurrency-below-one.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::rule::ManifestCx;
use crate::rules::manifest_strategy::stage::stages;

declare_rule! {
    /// A stage that may update less than one cluster at a time.
    ///
    /// ## Why it matters
    /// The stage could never update anything; the API server refuses it.
    ///
    /// ## What to do
    /// Write a number from 1 on, or a percentage from `1%` to `100%`.
    pub static CONCURRENCY_BELOW_ONE = Rule {
        code: "FL1112",
        name: "concurrency-below-one",
        severity: Severity::Error,
        layer: Layer::ApiServer,
        reads: &[Kind::Strategy],
        manifest: concurrency_below_one,
    }
}

fn concurrency_below_one(cx: &mut ManifestCx<'_>) {
    for manifest in cx.of(Kind::Strategy) {
        let Some(rule) = manifest.server_rule("stage-concurrency-min") else { continue };
        for stage in stages(manifest) {
            let Some(most) = stage.get("maxConcurrency") else { continue };
            if most.int().is_some_and(|most| most < 1) && !manifest.is_ratcheted(&most.place()) {
                let name = stage.text("name").unwrap_or_default();
                let finding = CONCURRENCY_BELOW_ONE
                    .on(&most.place(), "at least 1")
                    .message(format!("stage {name} may not update any cluster: {}", rule.message))
                    .help("write a number from 1 on, or a percentage from \"1%\" to \"100%\"");
                cx.report(finding);
            }
        }
    }
}
