//! FL0112 no-clusters-picked.

use crate::declare_rule;
use crate::facts::after_repair::Repair;
use crate::finding::{Finding, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::rule::Cx;
use crate::rules::commands::edit_for;
use crate::rules::run_failure::{ClaimedMessages, RunFailureCause, report_causes};

declare_rule! {
    /// A run for a placement that picks no cluster.
    ///
    /// ## Why it matters
    /// A PickAll policy that matches nothing counts as scheduled, with no cluster. A run has nothing to do then and
    /// fails permanently.
    ///
    /// ## What to do
    /// Correct the placement's policy (or the labels of the clusters) so that it picks some, then create a new run.
    pub static NO_CLUSTERS_PICKED = Rule {
        code: "FL0112",
        name: "no-clusters-picked",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::PolicySnapshot, Kind::Placement],
        check: no_clusters_picked,
    }
}

/// The policy picks no cluster.
const NO_BINDINGS: ClaimedMessages = &[id::ERR_NO_BINDINGS, id::ERR_NO_BINDINGS_CSUR];

fn no_clusters_picked(cx: &mut Cx<'_>) {
    report_causes(cx, NO_BINDINGS, Repair::Policy, describe);
}

fn describe(cx: &Cx<'_>, cause: &RunFailureCause<'_>) -> Finding {
    let run = cause.run;
    let name = run.placement.as_deref().unwrap_or_default();
    let placement = cx.find_placement(run);
    let policy = cx.find_latest_policy(run.meta.namespace(), name);
    let wanted = placement
        .and_then(|placement| placement.policy.span)
        .or(policy.and_then(|policy| policy.policy.span));
    let mut finding = NO_CLUSTERS_PICKED
        .at(wanted.unwrap_or(cause.span), "picks no cluster")
        .message(format!(
            "The policy of {} picks no cluster, so {} has no binding to roll out to.",
            run.show_placement(),
            run.meta.name()
        ))
        .why("A policy that matches no cluster still counts as scheduled.")
        .about(Topic::placement_of(run, name))
        .hint("Compare the policy's affinity with the labels of the member clusters.");
    if wanted.is_some() {
        finding = finding.also(cause.span, cause.label());
    }
    for decision in policy.into_iter().flat_map(|policy| &policy.decisions).take(2) {
        if let Some(reason) = &decision.reason {
            finding = finding.also(reason.span, format!("why not {}", &*decision.cluster));
        }
    }
    let edit = |key| edit_for(key, "change spec.policy so that it picks clusters");
    finding.command(placement.and_then(|placement| edit(&placement.meta.key)))
}
