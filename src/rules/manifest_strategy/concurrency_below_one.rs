//! FL1112 concurrency-below-one.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::strategy::Strategy;
use crate::rule::Cx;

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
        check: concurrency_below_one,
    }
}

fn concurrency_below_one(cx: &mut Cx<'_>) {
    for strategy in cx.drafts::<Strategy>() {
        let Some(rule) = strategy.manifest.server_rule("stage-concurrency-min") else { continue };
        for stage in &strategy.stages {
            let Some(most) = &stage.max_concurrency else { continue };
            let below = most.int().is_some_and(|most| most < 1);
            if !below || strategy.manifest.is_ratcheted(&most.place()) {
                continue;
            }
            let name = stage.name();
            let finding = CONCURRENCY_BELOW_ONE
                .at_field(&most.place(), "at least 1")
                .message(format!("stage {name} may not update any cluster: {}", rule.message))
                .hint("write a number from 1 on, or a percentage from \"1%\" to \"100%\"");
            cx.report(finding);
        }
    }
}
