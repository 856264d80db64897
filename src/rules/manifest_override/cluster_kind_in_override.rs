//! FL1511 cluster-kind-in-override.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::kind::Scope;
use crate::model::overrides::Override;
use crate::rule::Cx;

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
    for item in cx.drafts::<Override>().filter(|it| !it.manifest.is_cluster_scoped()) {
        for selector in &item.selectors {
            let Some(spec) = selector.find_kind().filter(|spec| spec.scope == Scope::Cluster)
            else {
                continue;
            };
            let finding = CLUSTER_KIND_IN_OVERRIDE
                .at_field(&selector.kind_place(), "a cluster-scoped kind")
                .message(format!("ResourceOverride {} never matches a {}", item.name(), spec.name))
                .hint("use a ClusterResourceOverride");
            cx.report(finding);
        }
    }
}
