//! FL0114 broken-policy-snapshot.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::model::snapshot::is_latest;
use crate::rule::Cx;
use crate::rules::commands::show_command;
use crate::rules::failure::{Claim, causes};

declare_rule! {
    /// Policy snapshots that the controller cannot read.
    ///
    /// ## Why it matters
    /// Exactly one policy snapshot of a placement carries `is-latest-snapshot: "true"`, with a policy index, and for
    /// PickN with the number of clusters. Labels and annotations that were edited or lost fail every run.
    ///
    /// ## What to do
    /// Repair the labels and annotations of the policy snapshots, then make a new run.
    pub static BROKEN_POLICY_SNAPSHOT = Rule {
        code: "FL0114",
        name: "broken-policy-snapshot",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::PolicySnapshot],
        check: broken_policy_snapshot,
    }
}

/// The policy snapshots cannot be told apart or read.
const BROKEN_POLICY: Claim = &[
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
    for cause in causes(cx, BROKEN_POLICY) {
        let run = cause.run;
        let name = run.placement.as_deref().unwrap_or_default();
        let mut finding = BROKEN_POLICY_SNAPSHOT
            .at(cause.span, "cannot be read")
            .message(format!("{} failed: the policy snapshots of {name} are damaged: {}", run.meta.name(), cause.words()))
            .why("labels and annotations of policy snapshots are written by the placement controller and must not be edited")
            .recover(Recoverability::RunIsDead);
        for policy in cx.policies_of(run.meta.namespace(), name) {
            if is_latest(&policy.meta) || policy.index().is_none() {
                finding = finding
                    .also(policy.meta.name_span, "look at its labels")
                    .command(show_command(&policy.meta.key));
            }
        }
        let finding = cause.settle(cx, finding);
        cx.report(finding);
    }
}
