//! FL1103 stage-without-selector.

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::grammar::kind::Kind;
use crate::rule::ManifestCx;
use crate::rules::manifest_strategy::stage::stages;
use crate::syntax::change::Fresh;

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
        manifest: stage_without_selector,
    }
}

fn stage_without_selector(cx: &mut ManifestCx<'_>) {
    for manifest in cx.of(Kind::Strategy) {
        let all = stages(manifest);
        for stage in all.iter().filter(|stage| stage.get("labelSelector").is_none()) {
            let finding = STAGE_WITHOUT_SELECTOR
                .on(&stage.place(), "no labelSelector")
                .message(format!(
                    "stage {} of {} selects no cluster",
                    stage.text("name").unwrap_or_default(),
                    manifest.name()
                ))
                .help("an absent or empty-valued selector selects nothing, `{}` selects everything")
                .fix(
                    Safety::Consent,
                    manifest
                        .with(&stage.pointer(), "name", "labelSelector", Fresh::EmptyMap)
                        .filter(|_| all.len() == 1),
                );
            cx.report(finding);
        }
    }
}
