//! FL0115 failed-override-lookup.

use crate::declare_rule;
use crate::facts::after_repair::Repair;
use crate::finding::{Finding, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::{HoleRole, id};
use crate::rule::Cx;
use crate::rules::run_failure::{ClaimedMessages, RunFailureCause, report_causes};

declare_rule! {
    /// A run that failed while it looked for overrides.
    ///
    /// ## Why it matters
    /// Whatever goes wrong while a run looks up overrides ends it, even what would pass by itself: a member cluster
    /// that is gone, an API server that did not answer, snapshots that were still being created.
    ///
    /// ## What to do
    /// Create a new run. If it fails again, check the override snapshots that it names.
    pub static FAILED_OVERRIDE_LOOKUP = Rule {
        code: "FL0115",
        name: "failed-override-lookup",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::OverrideSnapshot],
        check: failed_override_lookup,
    }
}

/// The overrides could not be looked up.
const BAD_OVERRIDES: ClaimedMessages =
    &[id::ERR_OVERRIDE_CLUSTER_GONE, id::ERR_OVERRIDE_POLICY_NIL];

fn failed_override_lookup(cx: &mut Cx<'_>) {
    report_causes(cx, BAD_OVERRIDES, Repair::Run, describe);
}

fn describe(cx: &Cx<'_>, cause: &RunFailureCause<'_>) -> Finding {
    let finding = FAILED_OVERRIDE_LOOKUP
        .at(cause.span, cause.label())
        .message(format!(
            "{} failed while it looked up overrides: {}.",
            cause.run.meta.title(),
            cause.clause()
        ))
        .why("Any error in this look-up ends a run, even one that would pass by itself.")
        .hint("If the new run fails in the same way, check the override snapshots.");
    let named = cause.named(HoleRole::OverrideSnapshot);
    let mut snapshots = cx.override_snapshots().iter();
    let found = snapshots.find(|snapshot| Some(snapshot.meta.name()) == named);
    finding.also_at(found.map(|snapshot| snapshot.meta.name_span), "the override snapshot")
}
