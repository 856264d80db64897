//! FL1104 catch-all-stage.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::strategy::Strategy;
use crate::rule::Cx;
use crate::rules::manifest_strategy::stage::selectors;

declare_rule! {
    /// A stage that takes every cluster beside other stages.
    ///
    /// ## Why it matters
    /// A cluster may be in one stage only: every cluster of another stage is in this one too, and each run
    /// fails at initialization.
    ///
    /// ## What to do
    /// Give the stage a selector that leaves out the other stages.
    pub static CATCH_ALL_STAGE = Rule {
        code: "FL1104",
        name: "catch-all-stage",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Strategy],
        check: catch_all_stage,
    }
}

fn catch_all_stage(cx: &mut Cx<'_>) {
    for strategy in cx.drafts::<Strategy>() {
        let selectors: Vec<_> = selectors(&strategy);
        for (index, (stage, at, selector)) in selectors.iter().enumerate() {
            if !selector.is_everything() {
                continue;
            }
            let other = selectors.iter().enumerate().find(|(other, (_, _, wanted))| {
                *other != index && wanted.example_matching_both(selector).is_some()
            });
            let Some((_, (other, ..))) = other else { continue };
            let finding = CATCH_ALL_STAGE
                .at_field(&at.site.place(), "takes every cluster")
                .also(other.site.place().span, "beside this stage")
                .message(format!(
                    "stage {} of {} takes the clusters of every other stage too",
                    stage.name(),
                    strategy.name()
                ))
                .why("a cluster in two stages fails the run at initialization");
            cx.report(finding);
        }
    }
}
