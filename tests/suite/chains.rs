//! Root-cause chains: from the object that complains down to the one that is at fault.
//!
//! Each row is one way in which a cluster does not finish, an input that shows it, and the rule that has
//! to lead the report there. A symptom that stands before its cause fails here.

use fleetlens::internals::finding::Severity;

use crate::bless::report;
use crate::judged::{open, story};

const CHAINS: &[(&str, &str, &str)] = &[
    ("a bad image", "bundles/run-stuck-image-pull/capture", "FL0760"),
    ("a crash loop", "rules/FL0761-container-crashing/bad", "FL0761"),
    ("missing configuration", "rules/FL0762-configuration-missing/bad", "FL0762"),
    ("no room on the nodes", "rules/FL0763-pod-unschedulable/bad", "FL0763"),
    ("a quota on pods", "rules/FL0701-quota-exceeded/bad-pods", "FL0701"),
    ("a quota on objects", "bundles/place-quota-configmaps/capture", "FL0701"),
    ("a webhook that denies", "rules/FL0702-admission-denied/bad-webhook", "FL0702"),
    ("a policy that denies", "rules/FL0702-admission-denied/bad", "FL0702"),
    ("a webhook that is down", "rules/FL0703-webhook-unreachable/bad", "FL0703"),
    ("pod security", "rules/FL0704-pod-security-violated/bad", "FL0704"),
    ("a missing definition", "rules/FL0707-kind-not-served/bad", "FL0707"),
    ("a missing namespace", "rules/FL0705-namespace-missing/bad", "FL0705"),
    ("two placements for one object", "rules/FL0715-object-owned-elsewhere/bad", "FL0715"),
    ("a takeover that differs", "rules/FL0716-takeover-differs/bad", "FL0716"),
    ("drift", "rules/FL0718-drift-blocks-apply/bad", "FL0718"),
    ("an immutable field", "rules/FL0708-immutable-field/bad", "FL0708"),
    ("a field of another manager", "rules/FL0709-field-owned-elsewhere/bad", "FL0709"),
    ("a dead member agent", "bundles/place-agent-dead-rollout/capture", "FL0750"),
    ("a bad envelope", "rules/FL0730-envelope-content-refused/bad", "FL0730"),
    ("a member that leaves", "rules/FL0751-leaving-member/bad", "FL0751"),
    ("a budget used up by a failing cluster", "bundles/place-rollout-held/capture", "FL0763"),
    ("a name that is still taken", "bundles/place-recreate-while-deleting/capture", "FL0733"),
    ("a deletion that hangs", "rules/FL0733-work-deletion-hangs/bad", "FL0733"),
    ("a report that is out of date", "rules/FL0721-outdated-availability/bad", "FL0721"),
    ("a comparison that is not counted", "rules/FL0722-degraded-diff-uncounted/bad", "FL0722"),
    ("no address for a service", "rules/FL0766-load-balancer-pending/bad", "FL0766"),
    ("a volume that is not bound", "rules/FL0767-claim-pending/bad", "FL0767"),
    ("a member that refuses, by logs alone", "rules/FL0902-stuck-in-log/bad-refused", "FL0903"),
    ("objects that cannot be tracked", "rules/FL0736-untrackable-wait/bad", "FL0736"),
    ("an init container that does not end", "rules/FL0771-pod-held-up/bad-init", "FL0771"),
    ("a volume that cannot be attached", "rules/FL0771-pod-held-up/bad-volume", "FL0771"),
    ("an override that does not fit", "rules/FL0630-failed-override/bad", "FL0630"),
    ("an override of a namespace", "bundles/place-override-namespace-cascade/capture", "FL0631"),
    ("a label that an override needs", "rules/FL0632-missing-label-variable/bad", "FL0632"),
    ("too few clusters by affinity", "bundles/place-affinity-pickn-none/capture", "FL0605"),
    ("too few clusters by a taint", "rules/FL0606-untolerated-taint/bad", "FL0606"),
    ("too few clusters by a dead agent", "rules/FL0609-ineligible-cluster/bad", "FL0750"),
    ("a cluster that has left", "bundles/place-member-left/capture", "FL0608"),
    ("a scheduler that gives up", "rules/FL0612-unreadable-property/bad", "FL0612"),
    ("a pruned snapshot", "rules/FL0629-pruned-binding-snapshot/bad", "FL0629"),
    ("a pruned snapshot of a run", "rules/FL0206-pruned-snapshot/bad", "FL0206"),
    ("a placement that waits for a run", "rules/FL0601-external-without-run/bad", "FL0601"),
    ("a placement whose run was stopped", "rules/FL0408-stopped-run/bad", "FL0408"),
    ("a placement whose run waits for a person", "rules/FL0502-open-approval/bad", "FL0502"),
    ("two runs at a time", "rules/FL0301-preempted-run/bad", "FL0301"),
    ("a selection of nothing", "rules/FL0621-empty-selection/bad", "FL0621"),
    ("a selected object that is missing", "rules/FL0620-missing-selection/bad", "FL0620"),
    ("an eviction that a budget blocks", "bundles/place-eviction-blocked/capture", "FL0650"),
    ("a dead hub agent", "rules/FL0910-hub-agent-down/bad", "FL0910"),
];

#[test]
fn every_chain_leads_to_its_cause() {
    let mut troubles = Vec::new();
    for (what, input, code) in CHAINS.iter().copied() {
        let opened = open(&format!("testdata/{input}")).expect("testdata can be read");
        let found = opened.report();
        let first = found.findings.first().map(|resolved| resolved.finding.code);
        if first != Some(code) {
            troubles.push(format!("{what}: {input} leads with {first:?}, not {code}"));
        }
        // The cause explains its symptoms: nothing else of the same cluster may lead beside it.
        let leads = found.findings.iter().filter(|resolved| {
            resolved.explained_by.is_empty() && resolved.finding.severity == Severity::Error
        });
        let codes: Vec<&str> = leads.map(|resolved| resolved.finding.code).collect();
        if codes.iter().any(|other| *other != code) {
            troubles.push(format!("{what}: beside {code} there lead {codes:?}"));
        }
    }
    report(troubles);
}

#[test]
fn a_disruption_budget_that_allows_nothing_accuses_nobody() {
    let opened = story("place-healthy-pdb-envelope");
    let found = opened.report();
    assert!(found.findings.is_empty(), "{:?}", found.findings.first().map(|r| &r.finding.message));
}
