//! FL1103 stage-without-selector.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::strategy::Strategy;
use crate::rule::Cx;

declare_rule! {
    /// A stage that selects no cluster.
    ///
    /// ## Why it matters
    /// Without `labelSelector` a stage selects nothing (`{}` selects everything); its tasks are skipped or wait
    /// for nothing.
    ///
    /// ## What to do
    /// Add a selector; `labelSelector: {}` takes all clusters.
    pub static STAGE_WITHOUT_SELECTOR = Rule {
        code: "FL1103",
        name: "stage-without-selector",
        severity: Severity::Warning,
        layer: Layer::Advice,
        reads: &[Kind::Strategy],
        check: stage_without_selector,
    }
}

fn stage_without_selector(cx: &mut Cx<'_>) {
    for strategy in cx.drafts::<Strategy>() {
        for stage in &strategy.stages {
            if stage.site.absent("labelSelector").is_none() {
                continue;
            }
            let finding = STAGE_WITHOUT_SELECTOR
                .at_field(&stage.site.place(), "no labelSelector")
                .message(format!(
                    "stage {} of {} selects no cluster",
                    stage.name(),
                    strategy.name()
                ))
                .why("an absent or empty-valued selector selects nothing, `{}` selects everything");
            cx.report(finding);
        }
    }
}
