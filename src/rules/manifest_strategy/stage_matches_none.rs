//! FL1108 stage-matches-none.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::labels::Selector;
use crate::rule::ManifestCx;
use crate::rules::manifest_strategy::stage::stages;

declare_rule! {
    /// A stage that takes no cluster of the repository.
    ///
    /// ## Why it matters
    /// The stage is empty; in current releases its approval and wait are skipped with it.
    ///
    /// ## What to do
    /// Check the labels of the clusters.
    pub static STAGE_MATCHES_NONE = Rule {
        code: "FL1108",
        name: "stage-matches-none",
        severity: Severity::Warning,
        layer: Layer::Advice,
        reads: &[Kind::Strategy, Kind::MemberCluster],
        manifest: stage_matches_none,
    }
}

fn stage_matches_none(cx: &mut ManifestCx<'_>) {
    let members = cx.repository().members();
    for manifest in cx.of(Kind::Strategy).filter(|_| !members.is_empty()) {
        for stage in stages(manifest) {
            let Some(at) = stage.get("labelSelector") else { continue };
            let Some(selector) = Selector::read(&at).filter(|s| s.contradiction().is_none()) else {
                continue;
            };
            if members.iter().any(|member| selector.matches(&member.labels)) {
                continue;
            }
            let finding = STAGE_MATCHES_NONE
                .on(&at.place(), "takes no cluster")
                .message(format!(
                    "none of the {} clusters here is in stage {} of {}",
                    members.len(),
                    stage.text("name").unwrap_or_default(),
                    manifest.name()
                ))
                .help("an empty stage is passed over with its tasks");
            cx.report(finding);
        }
    }
}
