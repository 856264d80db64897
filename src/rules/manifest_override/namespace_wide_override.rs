//! FL1510 namespace-wide-override.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::overrides::Override;
use crate::rule::Cx;

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
    for item in cx.drafts::<Override>().filter(|it| it.manifest.is_cluster_scoped()) {
        for selector in item.selectors.iter().filter(|it| it.is_namespace()) {
            let finding = NAMESPACE_WIDE_OVERRIDE
                .at_field(&selector.kind_place(), "and everything in it")
                .message(format!(
                    "ClusterResourceOverride {} patches every object of namespace {}",
                    item.name(),
                    selector.name.as_deref().unwrap_or_default()
                ))
                .why("the patches hit the Namespace and every object that is placed from it");
            cx.report(finding);
        }
    }
}
