//! FL0626 missing-binding.

use std::collections::BTreeSet;

use crate::declare_rule;
use crate::finding::{Certainty, Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::graph::Listing;
use crate::model::binding::Binding;
use crate::model::condition::Status;
use crate::rule::Cx;
use crate::rules::commands::hub_agent_log;
use jiff::SignedDuration;

declare_rule! {
    /// A cluster that the scheduler picked and that has no binding of the present policy.
    ///
    /// ## Why it matters
    /// The rollout works on bindings only. Without one nothing is sent to the cluster, and its `RolloutStarted` stays
    /// Unknown. The scheduler writes bindings in the same cycle as its decisions, so it stopped in between.
    ///
    /// ## What to do
    /// Look for errors of the scheduler in the hub agent's log. A change of the placement makes it try again.
    pub static MISSING_BINDING = Rule {
        code: "FL0626",
        name: "missing-binding",
        severity: Severity::Error,
        reads: &[Kind::Placement, Kind::Binding, Kind::PolicySnapshot, Kind::Run],
        check: missing_binding,
    }
}

/// The scheduler writes bindings and decisions within seconds of each other.
const PATIENCE: SignedDuration = SignedDuration::from_mins(2);

fn missing_binding(cx: &mut Cx<'_>) {
    // A row of a table does not say which cluster its binding is for.
    let unclear: BTreeSet<&str> = cx
        .bindings()
        .iter()
        .filter(|binding| binding.cluster.is_none())
        .map(|binding| binding.meta.namespace())
        .collect();
    for placement in cx.placements().iter().filter(|it| it.meta.deleting.is_none()) {
        let key = &placement.meta.key;
        // A fragment that does not show its name has bindings that nothing joins to it.
        if key.name.is_empty() {
            continue;
        }
        let kind = Kind::Binding.in_namespace(&key.namespace);
        if cx.listing(kind, &key.namespace) != Listing::All || unclear.contains(&*key.namespace) {
            continue;
        }
        // A piece that does not show its name is no other policy.
        let policy = cx.find_latest_policy(&key.namespace, &key.name);
        let policy = policy.filter(|policy| !policy.meta.key.name.is_empty());
        let of_policy = |binding: &Binding| {
            let policy = policy.map(|policy| policy.meta.name());
            policy.is_none() || binding.policy.is_none() || binding.policy.as_deref() == policy
        };
        for cluster in placement.clusters.iter().filter(|cluster| !cluster.name().is_empty()) {
            let started = cluster.condition("RolloutStarted");
            let Some(started) = started.filter(|c| c.status.value == Status::Unknown) else {
                continue;
            };
            let age = started.since.and_then(|since| cx.surely_over(since.value, PATIENCE));
            let here = || cx.bindings_on(&key.namespace, &key.name, cluster.name());
            // One that goes away is another matter: its successor waits for it.
            let known = here().any(|binding| binding.meta.deleting.is_some() || of_policy(binding));
            // A run is initialized with the bindings that there are: one that has the cluster saw its binding.
            let known = known
                || cx
                    .runs_of(&key.namespace, &key.name)
                    .iter()
                    .any(|run| run.find_cluster(cluster.name()).is_some());
            let Some(age) = age.filter(|_| !known) else { continue };
            let old = here().next();
            let why = match old {
                Some(_) => "its binding belongs to an older policy",
                None => "the bundle holds no binding for it",
            };
            let finding = MISSING_BINDING
                .at(started.best_span(), format!("undecided for {}", age.show()))
                .also_at(
                    old.and_then(|old| old.policy.as_ref()).map(|policy| policy.span),
                    "of an older policy",
                )
                .also_at(policy.map(|policy| policy.meta.name_span), "the latest policy")
                .message(format!(
                    "{key} cannot start on {}: the scheduler picked it, but {why}.",
                    cluster.name()
                ))
                .why(
                    "The rollout works on bindings of the latest policy only. The scheduler writes \
                      them together with its decisions, so it stopped in between.",
                )
                .then(format!(
                    "{} continues on {} by itself once the scheduler has written the binding.",
                    key.name,
                    cluster.name()
                ))
                .recover(Recoverability::ResumesAfterRepair)
                .step(hub_agent_log(), "shows why the scheduler has not written the binding")
                .about(Topic::HubAgent)
                .explains(Topic::PlacementCluster(key.clone(), cluster.name().into()))
                .explains(Topic::Rollout(key.clone()));
            // An old one is proof; that there is none may also be a hole in the list.
            cx.report(match old {
                Some(_) => finding,
                None => finding.severity(Severity::Warning).certainty(Certainty::Likely),
            });
        }
    }
}
