//! FL1509 namespaced-kind-in-cluster-override.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::kind::Scope;
use crate::rule::Cx;
use crate::rules::manifest_override::part::selectors;
use crate::rules::manifest_selector::resource::kind_of;

declare_rule! {
    /// A ClusterResourceOverride for a namespaced kind.
    ///
    /// ## Why it matters
    /// Namespaced objects are looked up by their Namespace, so the selector never matches.
    ///
    /// ## What to do
    /// Use a ResourceOverride in the namespace of the object.
    pub static NAMESPACED_KIND_IN_CLUSTER_OVERRIDE = Rule {
        code: "FL1509",
        name: "namespaced-kind-in-cluster-override",
        severity: Severity::Warning,
        layer: Layer::Advice,
        reads: &[Kind::Override],
        check: namespaced_kind_in_cluster_override,
    }
}

fn namespaced_kind_in_cluster_override(cx: &mut Cx<'_>) {
    for manifest in cx.of(Kind::Override).filter(|manifest| manifest.is_cluster_scoped()) {
        for selector in selectors(manifest) {
            let Some(spec) = kind_of(&selector).filter(|spec| spec.scope == Scope::Namespaced)
            else {
                continue;
            };
            let place = selector.get("kind").map_or_else(|| selector.place(), |kind| kind.place());
            let finding = NAMESPACED_KIND_IN_CLUSTER_OVERRIDE
                .on(&place, "a namespaced kind")
                .message(format!(
                    "ClusterResourceOverride {} never matches a {}",
                    manifest.name(),
                    spec.name
                ))
                .hint("use a ResourceOverride in the namespace of the object");
            cx.report(finding);
        }
    }
}
