//! FL1108 stage-matches-none.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::strategy::Strategy;
use crate::rule::Cx;
use crate::rules::manifest_strategy::stage::selectors;

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
        check: stage_matches_none,
    }
}

fn stage_matches_none(cx: &mut Cx<'_>) {
    let members = cx.repository().fleet();
    for strategy in cx.drafts::<Strategy>().filter(|_| !members.is_empty()) {
        for (stage, at, selector) in selectors(&strategy) {
            let takes = |labels| selector.matches(labels);
            if selector.contradiction().is_some() || members.iter().any(|m| takes(&m.labels)) {
                continue;
            }
            let finding = STAGE_MATCHES_NONE
                .at_field(&at.site.place(), "takes no cluster")
                .message(format!(
                    "none of the {} clusters here is in stage {} of {}",
                    members.len(),
                    stage.name(),
                    strategy.name()
                ))
                .why("an empty stage is passed over with its tasks");
            cx.report(finding);
        }
    }
}
