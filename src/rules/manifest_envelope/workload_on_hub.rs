//! FL1605 workload-on-hub.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::{Foreign, Manifest, REFUSED_WORKLOADS, Role};
use crate::rule::Cx;
use crate::rules::manifest_selector::resource::resource_selectors;

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
    for object in repository.foreign.iter().filter(|object| object.role == Role::Judged) {
        if !cx.has_webhooks() || !REFUSED_WORKLOADS.contains(&&*object.key.kind) {
            continue;
        }
        // Only what a placement takes has to stand on the hub; other files may be for other clusters.
        let placed = repository.of(Kind::Placement).find(|placement| {
            places(placement, object) && repository.is_together(placement.span, object.span)
        });
        let kind = object.written().get("kind").map(|kind| kind.place());
        let (Some(placement), Some(place)) = (placed, kind) else { continue };
        let finding = WORKLOAD_ON_HUB
            .on(&place, "refused on a hub")
            .also(placement.name_place().span, "this placement takes it")
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

fn places(placement: &Manifest, object: &Foreign) -> bool {
    let namespace = &*object.key.namespace;
    let reserved = namespace.starts_with("kube-") || namespace.starts_with("fleet-");
    if namespace.is_empty() || reserved {
        return false;
    }
    resource_selectors(placement).iter().any(|selector| {
        let is = |key: &str, text: &str| selector.text(key) == Some(text);
        if placement.is_cluster_scoped() {
            is("kind", "Namespace")
                && is("group", "")
                && is("name", namespace)
                && !is("selectionScope", "NamespaceOnly")
        } else {
            *placement.key.namespace == *namespace
                && is("kind", &object.key.kind)
                && (is("name", &object.key.name) || selector.get("name").is_none())
        }
    })
}
