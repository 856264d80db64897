//! FL1019 namespace-on-cluster-kind.

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::rule::Cx;

declare_rule! {
    /// A namespace on an object that lives beside all namespaces.
    ///
    /// ## Why it matters
    /// The API server drops it without a word; whoever reads the file believes that the object belongs to that
    /// namespace.
    ///
    /// ## What to do
    /// Remove it.
    pub static NAMESPACE_ON_CLUSTER_KIND = Rule {
        code: "FL1019",
        name: "namespace-on-cluster-kind",
        severity: Severity::Warning,
        layer: Layer::Advice,
        reads: &[],
        check: namespace_on_cluster_kind,
    }
}

fn namespace_on_cluster_kind(cx: &mut Cx<'_>) {
    for manifest in cx.judged().filter(|manifest| manifest.is_cluster_scoped()) {
        let Some(namespace) = manifest.written().at(&["metadata", "namespace"]) else { continue };
        if namespace.str().is_some_and(|text| !text.is_empty()) {
            let finding = NAMESPACE_ON_CLUSTER_KIND
                .at_field(&namespace.key_place(), "ignored")
                .message(format!(
                    "{} {} is cluster-scoped and names a namespace",
                    manifest.key.kind,
                    manifest.name()
                ))
                .why("the API server drops it without a word")
                .fix(Safety::Safe, manifest.remove(&namespace.pointer()));
            cx.report(finding);
        }
    }
}
