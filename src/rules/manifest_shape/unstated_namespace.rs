//! FL1020 unstated-namespace.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::rule::Cx;

declare_rule! {
    /// A namespaced object without a namespace.
    ///
    /// ## Why it matters
    /// It lands in the namespace of whoever applies it.
    ///
    /// ## What to do
    /// Write the namespace into the manifest.
    pub static UNSTATED_NAMESPACE = Rule {
        code: "FL1020",
        name: "unstated-namespace",
        severity: Severity::Note,
        layer: Layer::Advice,
        reads: &[],
        check: unstated_namespace,
    }
}

fn unstated_namespace(cx: &mut Cx<'_>) {
    for manifest in
        cx.judged().filter(|manifest| manifest.schema.is_some() && !manifest.is_cluster_scoped())
    {
        let Some(meta) = manifest.written().get("metadata") else { continue };
        if meta.text("namespace").is_none_or(str::is_empty) && !manifest.name().is_empty() {
            let finding = UNSTATED_NAMESPACE
                .at_field(&meta.missing("namespace"), "no namespace")
                .message(format!(
                    "{} {} does not say in which namespace it lives",
                    manifest.key.kind,
                    manifest.name()
                ))
                .why("it lands in the namespace of whoever applies it");
            cx.report(finding);
        }
    }
}
