//! FL1302 cluster-count-missing.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::placement::Placement;
use crate::rule::Cx;

declare_rule! {
    /// A PickN policy that does not say how many clusters.
    ///
    /// ## Why it matters
    /// PickN without a number picks nothing; the API server refuses it.
    ///
    /// ## What to do
    /// Add `numberOfClusters`.
    pub static CLUSTER_COUNT_MISSING = Rule {
        code: "FL1302",
        name: "cluster-count-missing",
        severity: Severity::Error,
        layer: Layer::ApiServer,
        reads: &[Kind::Placement],
        check: cluster_count_missing,
    }
}

fn cluster_count_missing(cx: &mut Cx<'_>) {
    for placement in cx.drafts::<Placement>() {
        let policy = &placement.policy;
        let (Some(site), Some(kind)) = (&policy.site, &policy.kind) else { continue };
        let Some(place) = site.absent("numberOfClusters").filter(|_| *kind == "PickN") else {
            continue;
        };
        let Some(rule) = placement.manifest.server_rule("policy-pickn-fields") else { continue };
        if placement.manifest.is_ratcheted(&site.place()) {
            continue;
        }
        let finding = CLUSTER_COUNT_MISSING
            .at_field(&place.underline(kind.place().span), "needs numberOfClusters")
            .message(format!("{} is PickN and does not say how many clusters", placement.show()))
            .why(&*rule.message);
        cx.report(finding);
    }
}
