//! FL0765 rollout-held-back.

use crate::declare_rule;
use crate::facts::unavailable_workload::UnavailableWorkload;
use crate::finding::{Certainty, Finding, Severity};
use crate::grammar::kind::Kind;
use crate::model::workload::Workload;
use crate::rule::Cx;
use crate::rules::consequence::{Repair, after_repair_of, edit_on_hub};
use crate::rules::member::pod_finding::explain_unavailable;
use crate::rules::member::sent_manifest::find_manifest;
use crate::rules::sentence::member_name;
use crate::syntax::Syntax;

declare_rule! {
    /// A workload that keeps some pods on the old version on purpose, which never counts as available.
    ///
    /// ## Why it matters
    /// KubeFleet calls a workload available only when every pod has the newest revision. With a `partition`
    /// above 0, the strategy `OnDelete` or a paused Deployment that never happens by itself, however healthy the
    /// pods are, so the placement stays unavailable and a run is stuck.
    ///
    /// ## What to do
    /// Lower the partition to 0 on the hub to finish the update, take `paused` away, or delete the old pods where
    /// the strategy is `OnDelete`.
    pub static ROLLOUT_HELD_BACK = Rule {
        code: "FL0765",
        name: "rollout-held-back",
        severity: Severity::Error,
        reads: &[Kind::Work],
        check: rollout_held_back,
    }
}

fn rollout_held_back(cx: &mut Cx<'_>) {
    for unavailable in cx.unavailable_workloads() {
        // Describe text does not count the updated pods.
        let counts = |workload: &&Workload| workload.meta.syntax != Syntax::Describe;
        let Some(workload) = unavailable.workload.filter(counts) else {
            if let Some(finding) = by_manifest(cx, unavailable) {
                cx.report(explain_unavailable(finding, unavailable));
            }
            continue;
        };
        let Some(short) = workload.shortfall() else { continue };
        // With pods missing, something else is wrong as well.
        if !["updatedReplicas", "updatedNumberScheduled"].contains(&short.field) {
            continue;
        }
        let paused = || workload.paused().map(|paused| (paused.span, "spec.paused".to_owned()));
        let Some((span, what)) = workload.update.holds_back().or_else(paused) else { continue };
        let finding = ROLLOUT_HELD_BACK
            .at(span, "holds pods on the old revision")
            .also_at(short.span, "only these pods are updated")
            .also_at(
                workload.status_text("updateRevision").map(|text| text.span),
                "the new revision",
            )
            .message(format!(
                "{} on {} never counts as available: {what} keeps it at {} of {} updated pods.",
                unavailable.key,
                member_name(&unavailable.key.cluster),
                short.have,
                short.want
            ))
            .why(
                "KubeFleet counts a workload as available only when every pod has the newest \
                  revision (updatedReplicas, updateRevision). Pods that are held back on purpose \
                  count against it.",
            )
            .step(edit_on_hub(cx, &unavailable.key), format!("opens it to take {what} away"));
        let finding = after_repair_of(finding, cx, unavailable, Repair::Resource);
        cx.report(explain_unavailable(finding, unavailable));
    }
}

/// Tells it by what the hub sends, where the workload itself is missing and all its pods are ready.
fn by_manifest(cx: &Cx<'_>, unavailable: &UnavailableWorkload<'_>) -> Option<Finding> {
    let healthy = !unavailable.pods.is_empty() && unavailable.pods.iter().all(|pod| pod.is_ready());
    let sent = find_manifest(cx, &unavailable.key).filter(|_| healthy)?;
    let (span, what) = sent.update_strategy().holds_back()?;
    Some(
        ROLLOUT_HELD_BACK
            .at(span, "holds pods on the old revision")
            .message(format!(
                "{} on {} is not available although all its pods are ready: {what} keeps pods on \
                 the old revision.",
                unavailable.key,
                member_name(&unavailable.key.cluster),
            ))
            .why(
                "KubeFleet counts a workload as available only when every pod has the newest \
                  revision.",
            )
            .certainty(Certainty::Likely)
            .step(edit_on_hub(cx, &unavailable.key), "opens it to change the update strategy"),
    )
    .map(|finding| after_repair_of(finding, cx, unavailable, Repair::Resource))
}
