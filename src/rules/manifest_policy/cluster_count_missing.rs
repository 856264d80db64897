//! FL1302 cluster-count-missing.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
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
    for manifest in cx.of(Kind::Placement) {
        let Some(policy) = manifest.stored().at(&["spec", "policy"]) else { continue };
        let picks = policy.text("placementType") == Some("PickN");
        if !picks
            || policy.get("numberOfClusters").is_some()
            || manifest.is_ratcheted(&policy.place())
        {
            continue;
        }
        let Some(rule) = manifest.server_rule("policy-pickn-fields") else { continue };
        let place = policy.missing("numberOfClusters");
        let span = policy.get("placementType").map_or(place.span, |kind| kind.place().span);
        let finding = CLUSTER_COUNT_MISSING
            .on(&place.underline(span), "needs numberOfClusters")
            .message(format!(
                "{} {} is PickN and does not say how many clusters",
                manifest.key.kind,
                manifest.name()
            ))
            .why(&*rule.message);
        cx.report(finding);
    }
}
