//! FL1409 skipped-kind.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::kind::{PLACEMENT_GROUP, Scope};
use crate::model::placement::Placement;
use crate::rule::Cx;

declare_rule! {
    /// A resource selector for a kind that is never placed.
    ///
    /// ## Why it matters
    /// Pods, Nodes, events, leases, metrics, imported services, traffic managers and the objects of KubeFleet
    /// itself (other than envelopes) are left out without a word; the webhook of ClusterResourcePlacement refuses
    /// those that are cluster-scoped.
    ///
    /// ## What to do
    /// Select what makes the objects (a Deployment instead of its Pods), or wrap them in an envelope.
    pub static SKIPPED_KIND = Rule {
        code: "FL1409",
        name: "skipped-kind",
        severity: Severity::Warning,
        layer: Layer::Controller,
        reads: &[Kind::Placement],
        check: skipped_kind,
    }
}

fn skipped_kind(cx: &mut Cx<'_>) {
    for placement in cx.drafts::<Placement>() {
        for selector in &placement.selectors {
            let group = selector.group.as_deref().unwrap_or_default();
            let name = selector.kind.as_deref().unwrap_or_default();
            let ours = group == PLACEMENT_GROUP && !name.ends_with("Envelope");
            let skipped = ours
                || SKIPPED_GROUPS.contains(&group)
                || (group.is_empty() && matches!(name, "Pod" | "Node"))
                || (group == NETWORKING_GROUP && SKIPPED_NETWORKING.contains(&name));
            if !skipped {
                continue;
            }
            let cluster = selector.find_kind().is_some_and(|spec| spec.scope == Scope::Cluster);
            let finding = SKIPPED_KIND
                .at_field(&selector.kind_place(), "never placed")
                .message(format!("{} selects {name}, which is never placed", placement.show()))
                .why("objects of this kind are left out without a word");
            let refused = cluster && cx.hook_layer(placement.manifest) == Layer::Webhook;
            cx.report(if refused {
                finding.layer(Layer::Webhook).severity(Severity::Error)
            } else {
                finding
            });
        }
    }
}

/// The group of Fleet's own networking, of which some kinds stay on the hub.
const NETWORKING_GROUP: &str = "networking.fleet.azure.com";
const SKIPPED_NETWORKING: [&str; 3] =
    ["ServiceImport", "TrafficManagerProfile", "TrafficManagerBackend"];

const SKIPPED_GROUPS: [&str; 4] =
    ["events.k8s.io", "coordination.k8s.io", "metrics.k8s.io", "cluster.kubernetes-fleet.io"];
