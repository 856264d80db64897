//! FL0115 failed-override-lookup.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::{Role, id};
use crate::rule::Cx;
use crate::rules::failure::{Claim, causes};

declare_rule! {
    /// A run that failed while it looked for overrides.
    ///
    /// ## Why it matters
    /// Whatever goes wrong while a run looks up overrides ends it, even what would pass by itself: a member cluster
    /// that is gone, an API server that did not answer, snapshots that were still being made.
    ///
    /// ## What to do
    /// Make a new run. If it fails again, look at the override snapshots that it names.
    pub static FAILED_OVERRIDE_LOOKUP = Rule {
        code: "FL0115",
        name: "failed-override-lookup",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::OverrideSnapshot],
        check: failed_override_lookup,
    }
}

/// The overrides could not be looked up.
const BAD_OVERRIDES: Claim = &[id::ERR_OVERRIDE_CLUSTER_GONE, id::ERR_OVERRIDE_POLICY_NIL];

fn failed_override_lookup(cx: &mut Cx<'_>) {
    for cause in causes(cx, BAD_OVERRIDES) {
        let run = cause.run;
        let mut finding = FAILED_OVERRIDE_LOOKUP
            .at(cause.span, "this ended the run")
            .message(format!("{} failed while looking up overrides: {}", run.meta.name(), cause.words()))
            .why("any trouble in the look-up of overrides is final for a run, even what would pass by itself")
            .recover(Recoverability::RunIsDead);
        if let Some(name) = cause.named(Role::OverrideSnapshot) {
            let found =
                cx.override_snapshots().iter().find(|snapshot| snapshot.meta.name() == name);
            finding = finding
                .also_at(found.map(|snapshot| snapshot.meta.name_span), "the override snapshot");
        } else if let Some(snapshot) = cx.override_snapshots().first() {
            finding = finding.also(snapshot.meta.name_span, "an override snapshot of the bundle");
        }
        let finding = cause.settle(cx, finding);
        cx.report(finding);
    }
}
