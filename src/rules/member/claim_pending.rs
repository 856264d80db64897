//! FL0767 claim-pending.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::model::meta::Meta;
use crate::model::pod::Pod;
use crate::rule::Cx;
use crate::rules::chain::{clip, member_name};
use crate::rules::commands::look_at;
use crate::rules::member::patient::explain_unavailable;
use crate::syntax::tree::Node;

declare_rule! {
    /// A volume claim on a member that is not bound, so the pods that use it cannot start.
    ///
    /// ## Why it matters
    /// KubeFleet does not track claims: the claim counts as available while it waits. Its pods stay Pending
    /// until a volume is there; the storage class may not exist on the member, or cannot make such a volume.
    ///
    /// ## What to do
    /// Look at the events of the claim and at the storage classes of the member.
    pub static CLAIM_PENDING = Rule {
        code: "FL0767",
        name: "claim-pending",
        severity: Severity::Error,
        reads: &[Kind::PersistentVolumeClaim, Kind::Event],
        check: claim_pending,
    }
}

fn claim_pending(cx: &mut Cx<'_>) {
    let claims = cx.objects(Kind::PersistentVolumeClaim, "PersistentVolumeClaim");
    for unavailable in cx.unavailable_workloads() {
        let unbound = unavailable.pods.iter().find(|pod| waits_for_volume(pod));
        let Some(pod) = unbound else { continue };
        let here = claims.iter().filter(|claim| {
            claim.key.namespace == unavailable.key.namespace
                && (claim.key.cluster == unavailable.key.cluster || claim.key.cluster.is_empty())
        });
        let pending =
            |claim: &&&Meta| phase(claim).is_some_and(|phase| phase.as_str() == Some("Pending"));
        let Some(claim) = here.filter(pending).find(|claim| uses(pod, claim)) else { continue };
        let Some(phase) = phase(claim) else { continue };
        let events = cx.events_of(&claim.key);
        let event = events.iter().rfind(|event| event.is_warning());
        let class = claim.root.at(&["spec", "storageClassName"]);
        let words = event.map(|event| format!(": {}", clip(event.message()))).unwrap_or_default();
        let finding = CLAIM_PENDING
            .at(phase.span, "not bound")
            .also_at(class.map(|class| class.span), "its storage class")
            .also_at(event.map(|event| event.best_span()), "its last event")
            .message(format!(
                "PersistentVolumeClaim {} on {} is Pending, so the pods of {} cannot start{words}",
                claim.key.path(),
                member_name(&unavailable.key.cluster),
                unavailable.key,
            ))
            .why("the pods wait for the volume; KubeFleet does not track claims, so the claim itself is reported as available")
            .recover(Recoverability::ResumesAfterRepair)
            .command(look_at(&unavailable.key.cluster).words("get storageclasses").build());
        cx.report(
            explain_unavailable(finding, unavailable).explains(Topic::Object(pod.meta.key.clone())),
        );
    }
}

fn waits_for_volume(pod: &Pod) -> bool {
    let waits = pod.condition("PodScheduled").filter(|condition| condition.is_false());
    let words = waits.and_then(|condition| condition.message.as_ref());
    words.is_some_and(|words| {
        words.contains("PersistentVolumeClaim") || words.contains("persistentvolumeclaim")
    })
}

fn uses(pod: &Pod, claim: &Meta) -> bool {
    let volumes = pod.meta.root.at(&["spec", "volumes"]).map(Node::items).unwrap_or_default();
    volumes.iter().any(|volume| {
        let named = volume.at(&["persistentVolumeClaim", "claimName"]);
        named.and_then(Node::as_str) == Some(claim.name())
    })
}

fn phase(claim: &Meta) -> Option<&Node> {
    claim.root.at(&["status", "phase"])
}
