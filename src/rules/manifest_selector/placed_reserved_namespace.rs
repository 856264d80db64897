//! FL1408 placed-reserved-namespace.

use crate::behaviour::reserved::is_never_placed;
use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::placement::Placement;
use crate::rule::Cx;

declare_rule! {
    /// A reserved namespace placed with its contents.
    ///
    /// ## Why it matters
    /// `default`, `kube-*` and `fleet-*` may not be propagated; the placement fails. With `selectionScope:
    /// NamespaceOnly` nobody checks, and the member agent takes the namespace over.
    ///
    /// ## What to do
    /// Put the workloads into a namespace of their own.
    pub static PLACED_RESERVED_NAMESPACE = Rule {
        code: "FL1408",
        name: "placed-reserved-namespace",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Placement],
        check: placed_reserved_namespace,
    }
}

fn placed_reserved_namespace(cx: &mut Cx<'_>) {
    for placement in cx.drafts::<Placement>().filter(|it| it.manifest.is_cluster_scoped()) {
        for selector in placement.selectors.iter().filter(|it| it.is_namespace()) {
            let Some(name) = &selector.name else { continue };
            let text = &**name;
            if !is_never_placed(text) {
                continue;
            }
            let finding = PLACED_RESERVED_NAMESPACE
                .at_field(&name.place(), "a reserved namespace")
                .message(format!(
                    "ClusterResourcePlacement {} places the reserved namespace {text}",
                    placement.name()
                ));
            let only = selector.scope.as_deref() == Some("NamespaceOnly");
            cx.report(if only {
                finding.severity(Severity::Warning).layer(Layer::Advice).why(
                    "nobody refuses it without its contents, and the member agent takes it \
                     over: deleting the placement may then hang for ever",
                )
            } else {
                finding.why("default, kube-* and fleet-* may not be propagated")
            });
        }
    }
}
