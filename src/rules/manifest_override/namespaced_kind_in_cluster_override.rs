//! FL1509 namespaced-kind-in-cluster-override.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::kind::Scope;
use crate::model::overrides::Override;
use crate::rule::Cx;

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
    for item in cx.drafts::<Override>().filter(|it| it.manifest.is_cluster_scoped()) {
        for selector in &item.selectors {
            let Some(spec) = selector.find_kind().filter(|spec| spec.scope == Scope::Namespaced)
            else {
                continue;
            };
            let finding = NAMESPACED_KIND_IN_CLUSTER_OVERRIDE
                .at_field(&selector.kind_place(), "a namespaced kind")
                .message(format!(
                    "ClusterResourceOverride {} never matches a {}",
                    item.name(),
                    spec.name
                ))
                .hint("use a ResourceOverride in the namespace of the object");
            cx.report(finding);
        }
    }
}
