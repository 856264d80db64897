//! FL1514 namespaced-scope-in-cluster-override.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::overrides::Override;
use crate::rule::Cx;

declare_rule! {
    /// A ClusterResourceOverride that refers to a namespaced placement.
    ///
    /// ## Why it matters
    /// A cluster-scoped override can only work for a ClusterResourcePlacement.
    ///
    /// ## What to do
    /// Use `scope: Cluster`, or a ResourceOverride.
    pub static NAMESPACED_SCOPE_IN_CLUSTER_OVERRIDE = Rule {
        code: "FL1514",
        name: "namespaced-scope-in-cluster-override",
        severity: Severity::Error,
        layer: Layer::ApiServer,
        reads: &[Kind::Override],
        check: namespaced_scope_in_cluster_override,
    }
}

fn namespaced_scope_in_cluster_override(cx: &mut Cx<'_>) {
    for item in cx.drafts::<Override>() {
        let Some(rule) = item.manifest.server_rule("override-cluster-scope") else { continue };
        let Some(scope) = &item.placement_scope else { continue };
        if *scope == "Namespaced" {
            let finding = NAMESPACED_SCOPE_IN_CLUSTER_OVERRIDE
                .at_field(&scope.place(), "must be Cluster")
                .message(format!(
                    "ClusterResourceOverride {} refers to a namespaced placement",
                    item.name()
                ))
                .why(&*rule.message);
            cx.report(finding);
        }
    }
}
