//! FL1605 workload-on-hub.

use crate::behaviour::reserved::is_reserved;
use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::{Draft, FileRole, OtherObject, REFUSED_WORKLOADS};
use crate::model::placement::Placement;
use crate::rule::Cx;

declare_rule! {
    /// A Pod or ReplicaSet that would have to stand on the hub to be placed.
    ///
    /// ## Why it matters
    /// A hub runs nothing itself: its webhook refuses Pods and ReplicaSets outside reserved namespaces (unless it was
    /// installed with workloads enabled), so there is nothing that the placement could take.
    ///
    /// ## What to do
    /// Place a Deployment, or wrap the object in a ResourceEnvelope.
    pub static WORKLOAD_ON_HUB = Rule {
        code: "FL1605",
        name: "workload-on-hub",
        severity: Severity::Warning,
        layer: Layer::Webhook,
        reads: &[Kind::Placement],
        check: workload_on_hub,
    }
}

fn workload_on_hub(cx: &mut Cx<'_>) {
    let repository = cx.repository();
    for object in repository.foreign.iter().filter(|object| object.role == FileRole::Judged) {
        if !cx.has_webhooks() || !REFUSED_WORKLOADS.contains(&&*object.key.kind) {
            continue;
        }
        // Only what a placement takes has to stand on the hub; other files may be for other clusters.
        let placed = repository.all::<Placement>().find(|placement| {
            places(placement, object)
                && repository.is_together(placement.manifest.span, object.span)
        });
        let kind = object.written().get("kind").map(|kind| kind.place());
        let (Some(placement), Some(place)) = (placed, kind) else { continue };
        let finding = WORKLOAD_ON_HUB
            .at_field(&place, "refused on a hub")
            .also(placement.manifest.name_place().span, "this placement takes it")
            .for_object(object.key.clone())
            .message(format!(
                "{} cannot be made on the hub, from which {} places it",
                object.key,
                placement.name()
            ))
            .why("wrap it in a ResourceEnvelope, or place a Deployment");
        cx.report(finding);
    }
}

fn places(placement: &Draft<'_, Placement>, object: &OtherObject) -> bool {
    let namespace = &*object.key.namespace;
    if namespace.is_empty() || is_reserved(namespace) {
        return false;
    }
    placement.selectors.iter().any(|selector| {
        if placement.manifest.is_cluster_scoped() {
            selector.is_namespace()
                && selector.group.as_deref() == Some("")
                && selector.name.as_deref() == Some(namespace)
                && selector.scope.as_deref() != Some("NamespaceOnly")
        } else {
            placement.meta.namespace() == namespace
                && selector.kind.as_deref() == Some(&object.key.kind)
                && selector.name.as_deref().is_none_or(|name| *name == *object.key.name)
        }
    })
}
