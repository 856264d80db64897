//! FL1511 cluster-kind-in-override.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::kind::Scope;
use crate::rule::Cx;
use crate::rules::manifest_override::part::selectors;
use crate::rules::manifest_selector::resource::kind_of;

declare_rule! {
    /// A ResourceOverride for a cluster-scoped kind.
    ///
    /// ## Why it matters
    /// A ResourceOverride works on objects of its own namespace; a cluster-scoped object never matches.
    ///
    /// ## What to do
    /// Use a ClusterResourceOverride.
    pub static CLUSTER_KIND_IN_OVERRIDE = Rule {
        code: "FL1511",
        name: "cluster-kind-in-override",
        severity: Severity::Warning,
        layer: Layer::Advice,
        reads: &[Kind::Override],
        check: cluster_kind_in_override,
    }
}

fn cluster_kind_in_override(cx: &mut Cx<'_>) {
    for manifest in cx.of(Kind::Override).filter(|manifest| !manifest.is_cluster_scoped()) {
        for selector in selectors(manifest) {
            let Some(spec) = kind_of(&selector).filter(|spec| spec.scope == Scope::Cluster) else {
                continue;
            };
            let place = selector.get("kind").map_or_else(|| selector.place(), |kind| kind.place());
            let finding = CLUSTER_KIND_IN_OVERRIDE
                .on(&place, "a cluster-scoped kind")
                .message(format!(
                    "ResourceOverride {} never matches a {}",
                    manifest.name(),
                    spec.name
                ))
                .hint("use a ClusterResourceOverride");
            cx.report(finding);
        }
    }
}
