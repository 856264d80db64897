//! FL0765 rollout-held-back.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::rule::{Cx, Scope};
use crate::rules::chain::{member_name, show_on_member};
use crate::rules::member::patient::explain_ailing;

declare_rule! {
    /// A StatefulSet or DaemonSet that keeps some pods on the old version on purpose, which never counts as available.
    ///
    /// ## Why it matters
    /// KubeFleet calls a StatefulSet available only when every pod has the newest revision. With a `partition`
    /// above 0 or the strategy `OnDelete` that never happens by itself, however healthy the pods are, so the
    /// placement stays unavailable and a run is stuck.
    ///
    /// ## What to do
    /// Lower the partition to 0 on the hub to finish the update, or delete the old pods where the strategy is
    /// `OnDelete`.
    pub static ROLLOUT_HELD_BACK = Rule {
        code: "FL0765",
        name: "rollout-held-back",
        severity: Severity::Error,
        scope: Scope::Bundle,
        reads: &[Kind::StatefulSet, Kind::Pod, Kind::Work, Kind::Binding, Kind::Placement, Kind::Deployment, Kind::ReplicaSet, Kind::DaemonSet, Kind::Event],
        check: rollout_held_back,
    }
}

fn rollout_held_back(cx: &mut Cx<'_>) {
    for ailing in cx.ailing() {
        let Some(workload) = ailing.workload else { continue };
        let Some(short) = workload.shortfall() else { continue };
        let partition = workload.partition.filter(|partition| partition.value > 0);
        let on_delete = workload.update.as_ref().filter(|update| &***update == "OnDelete");
        // With pods missing, something else is wrong as well.
        if !["updatedReplicas", "updatedNumberScheduled"].contains(&short.field) {
            continue;
        }
        let (span, what) = match (partition, on_delete) {
            (Some(partition), _) => (partition.span, format!("partition {}", partition.value)),
            (None, Some(update)) => (update.span, "the update strategy OnDelete".to_owned()),
            (None, None) => continue,
        };
        let finding = ROLLOUT_HELD_BACK
            .at(span, "this holds pods on the old version")
            .also_at(short.span, "so only these pods are updated")
            .also_at(workload.status_text("updateRevision").map(|text| text.span), "the new revision")
            .message(format!(
                "{} on {} never counts as available: {what} keeps it at {} of {} updated pods",
                ailing.key,
                member_name(&ailing.key.cluster),
                short.have,
                short.want
            ))
            .help("KubeFleet wants every pod at the newest revision (updatedReplicas, currentRevision = updateRevision); pods that are held back on purpose count against it")
            .recover(Recoverability::WaitsForPerson)
            .command(show_on_member(&ailing.key));
        cx.report(explain_ailing(finding, &ailing));
    }
}
