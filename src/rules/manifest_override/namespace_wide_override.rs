//! FL1510 namespace-wide-override.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::manifest_override::part::selectors;

declare_rule! {
    /// A ClusterResourceOverride for a Namespace.
    ///
    /// ## Why it matters
    /// Its patches hit the Namespace and every object that is placed from it.
    ///
    /// ## What to do
    /// If one object is meant, use a ResourceOverride.
    pub static NAMESPACE_WIDE_OVERRIDE = Rule {
        code: "FL1510",
        name: "namespace-wide-override",
        severity: Severity::Warning,
        layer: Layer::Advice,
        reads: &[Kind::Override],
        check: namespace_wide_override,
    }
}

fn namespace_wide_override(cx: &mut Cx<'_>) {
    for manifest in cx.of(Kind::Override).filter(|manifest| manifest.is_cluster_scoped()) {
        for selector in selectors(manifest).iter().filter(|s| s.text("kind") == Some("Namespace")) {
            let place = selector.get("kind").map_or_else(|| selector.place(), |kind| kind.place());
            let finding = NAMESPACE_WIDE_OVERRIDE
                .on(&place, "and everything in it")
                .message(format!(
                    "ClusterResourceOverride {} patches every object of namespace {}",
                    manifest.name(),
                    selector.text("name").unwrap_or_default()
                ))
                .why("the patches hit the Namespace and every object that is placed from it");
            cx.report(finding);
        }
    }
}
