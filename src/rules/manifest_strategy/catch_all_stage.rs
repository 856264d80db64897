//! FL1104 catch-all-stage.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::labels::Selector;
use crate::rule::ManifestCx;
use crate::rules::manifest_strategy::stage::stages;

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
        manifest: catch_all_stage,
    }
}

fn catch_all_stage(cx: &mut ManifestCx<'_>) {
    for manifest in cx.of(Kind::Strategy) {
        let selectors: Vec<_> = stages(manifest)
            .iter()
            .filter_map(|stage| Some((stage.clone(), stage.get("labelSelector")?)))
            .collect();
        for (stage, at) in &selectors {
            let Some(selector) = Selector::read(at).filter(Selector::is_everything) else {
                continue;
            };
            let other = selectors.iter().find(|(_, other)| {
                other.place() != at.place()
                    && Selector::read(other).is_some_and(|other| other.witness(&selector).is_some())
            });
            let Some((other, _)) = other else { continue };
            let finding = CATCH_ALL_STAGE
                .on(&at.place(), "takes every cluster")
                .also(other.place().span, "beside this stage")
                .message(format!(
                    "stage {} of {} takes the clusters of every other stage too",
                    stage.text("name").unwrap_or_default(),
                    manifest.name()
                ))
                .help("a cluster in two stages fails the run at initialization");
            cx.report(finding);
        }
    }
}
