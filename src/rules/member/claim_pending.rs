//! FL0767 claim-pending.

use crate::declare_rule;
use crate::facts::unavailable_workload::UnavailableWorkload;
use crate::finding::{Finding, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::model::meta::Meta;
use crate::model::pod::Pod;
use crate::model::volume_claim::VolumeClaim;
use crate::rule::Cx;
use crate::rules::commands::look_at;
use crate::rules::consequence::{Repair, after_repair_of};
use crate::rules::member::pod_finding::explain_unavailable;
use crate::rules::sentence::{clip, full_stop, join_names, member_name};

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
        reads: &[Kind::PersistentVolumeClaim, Kind::Event, Kind::Other],
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
        let pending = here.map(|claim| VolumeClaim::read(claim)).filter(VolumeClaim::is_pending);
        let used = |claim: &VolumeClaim<'_>| pod.uses_claim(claim.meta.name());
        let Some(claim) = pending.into_iter().find(used) else { continue };
        let finding = describe(cx, unavailable, &claim);
        cx.report(
            explain_unavailable(finding, unavailable).explains(Topic::Object(pod.meta.key.clone())),
        );
    }
}

fn describe(
    cx: &Cx<'_>,
    unavailable: &UnavailableWorkload<'_>,
    claim: &VolumeClaim<'_>,
) -> Finding {
    let VolumeClaim { meta: claim, storage_class: class } = claim;
    let cluster = &unavailable.key.cluster;
    let member = member_name(cluster);
    let events = cx.events_of(&claim.key);
    let event = events.iter().rfind(|event| event.is_warning());
    let name = class.as_deref().unwrap_or_default();
    let words = event.map(|event| format!(": {}", clip(event.message()))).unwrap_or_default();
    let place = claim.phase().map_or(claim.name_span, |phase| phase.span);
    let finding = CLAIM_PENDING
        .at(place, "the claim is not bound")
        .also_at(event.map(|event| event.best_span()), "its last event")
        .why(
            "The pods wait for the volume. KubeFleet does not track claims, so it reports the \
              claim itself as available.",
        );
    let finding = match find_class(cx, cluster, name, event.map(|event| event.message())) {
        Class::Missing { listed } => {
            let known = match join_names(&listed) {
                none if none.is_empty() => format!("{member} has none"),
                names => format!("{member} has {names}"),
            };
            finding
                .also_at(
                    class.as_ref().map(|class| class.span),
                    "no such StorageClass on the member",
                )
                .message(format!(
                    "StorageClass {name} does not exist on {member}, so claim {} stays Pending \
                     and the pods of {} cannot start.",
                    claim.key.path(),
                    unavailable.key,
                ))
                .hint(format!(
                    "Create StorageClass {name} on {member}, or name another one in an override \
                     ({known})."
                ))
                .step(
                    look_at(cluster)
                        .words("get storageclasses")
                        .build()
                        .filter(|_| listed.is_empty()),
                    format!("shows which storage classes {member} has"),
                )
        }
        Class::Unknown => finding
            .also_at(class.as_ref().map(|class| class.span), "its storage class")
            .message(full_stop(&format!(
                "PersistentVolumeClaim {} on {member} is Pending, so the pods of {} cannot \
                 start{words}",
                claim.key.path(),
                unavailable.key,
            )))
            .step(
                look_at(cluster).words("get storageclasses").build(),
                format!("shows whether {member} has the storage class of the claim"),
            ),
    };
    after_repair_of(finding, cx, unavailable, Repair::Member)
}

/// What the bundle shows of the storage class of a claim.
enum Class<'g> {
    /// It does not exist on the member; these do.
    Missing { listed: Vec<&'g str> },
    /// It exists, or nothing shows that it does not.
    Unknown,
}

/// Looks for a storage class: an event says that it is not found, or the member's list lacks it.
fn find_class<'g>(cx: &Cx<'g>, cluster: &str, name: &str, event: Option<&str>) -> Class<'g> {
    if name.is_empty() {
        return Class::Unknown;
    }
    let classes = cx.objects(Kind::Other, "StorageClass");
    // A file that does not say where it comes from proves nothing about this member.
    let here = classes.into_iter().filter(|meta| &*meta.key.cluster == cluster);
    let listed: Vec<&str> = here.map(Meta::name).collect();
    if listed.contains(&name) {
        return Class::Unknown;
    }
    let quoted = format!("\"{name}\" not found");
    let told = event.is_some_and(|words| words.contains("storageclass") && words.contains(&quoted));
    if told || !listed.is_empty() { Class::Missing { listed } } else { Class::Unknown }
}

fn waits_for_volume(pod: &Pod) -> bool {
    let waits = pod.condition("PodScheduled").filter(|condition| condition.is_false());
    let words = waits.and_then(|condition| condition.message.as_ref());
    words.is_some_and(|words| {
        words.contains("PersistentVolumeClaim") || words.contains("persistentvolumeclaim")
    })
}
