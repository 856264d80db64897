//! FL0114 broken-policy-snapshot.

use crate::declare_rule;
use crate::facts::after_repair::Repair;
use crate::finding::{Finding, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::model::snapshot::is_latest;
use crate::rule::Cx;
use crate::rules::commands::{edit_for, labels_command};
use crate::rules::run_failure::{ClaimedMessages, RunFailureCause, report_causes};

declare_rule! {
    /// Policy snapshots that the controller cannot read.
    ///
    /// ## Why it matters
    /// Exactly one policy snapshot of a placement carries `is-latest-snapshot: "true"`, with a policy index, and for
    /// PickN with the number of clusters. Labels and annotations that were edited or lost fail every run.
    ///
    /// ## What to do
    /// Repair the labels and annotations of the policy snapshots, then create a new run.
    pub static BROKEN_POLICY_SNAPSHOT = Rule {
        code: "FL0114",
        name: "broken-policy-snapshot",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::PolicySnapshot],
        check: broken_policy_snapshot,
    }
}

/// The policy snapshots cannot be told apart or read.
const BROKEN_POLICY: ClaimedMessages = &[
    id::ERR_MULTI_LATEST_POLICY,
    id::ERR_MULTI_LATEST_POLICY_V01,
    id::ERR_MULTI_LATEST_POLICY_CSUR,
    id::ERR_POLICY_NO_INDEX,
    id::ERR_POLICY_NO_POLICY_OLD,
    id::ERR_POLICY_COUNT_ANNOTATION,
    id::ERR_COUNT_ANNOTATION_MISSING,
    id::ERR_COUNT_ANNOTATION_INVALID,
];

fn broken_policy_snapshot(cx: &mut Cx<'_>) {
    report_causes(cx, BROKEN_POLICY, Repair::Policy, describe);
}

fn describe(cx: &Cx<'_>, cause: &RunFailureCause<'_>) -> Finding {
    let run = cause.run;
    let name = run.placement.as_deref().unwrap_or_default();
    let policies = cx.policies_of(run.meta.namespace(), name);
    let mut finding = BROKEN_POLICY_SNAPSHOT
        .at(cause.span, cause.label())
        .message(format!(
            "The policy snapshots of {} are damaged: {}.",
            run.show_placement(),
            cause.words()
        ))
        .why("The placement controller writes their labels and annotations. Someone edited them.");
    for policy in &policies {
        if is_latest(&policy.meta) || policy.index().is_none() {
            finding = finding
                .also(policy.meta.name_span, "check its labels and annotations")
                .command(edit_for(&policy.meta.key, "correct its labels and annotations"));
        }
    }
    if policies.is_empty() {
        let kind = Kind::PolicySnapshot.in_namespace(run.meta.namespace());
        finding = finding.command(labels_command(kind, run.meta.namespace(), name));
    }
    finding
}
