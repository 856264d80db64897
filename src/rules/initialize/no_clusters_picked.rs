//! FL0112 no-clusters-picked.

use crate::declare_rule;
use crate::finding::Topic;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::rule::Cx;
use crate::rules::failure::{Claim, causes};

declare_rule! {
    /// A run for a placement that picks no cluster.
    ///
    /// ## Why it matters
    /// A PickAll policy that matches nothing counts as scheduled, with no cluster. A run has nothing to do then and
    /// fails for good.
    ///
    /// ## What to do
    /// Correct the placement's policy (or the labels of the clusters) so that it picks some, then make a new run.
    pub static NO_CLUSTERS_PICKED = Rule {
        code: "FL0112",
        name: "no-clusters-picked",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::PolicySnapshot, Kind::Placement],
        check: no_clusters_picked,
    }
}

/// The policy picks no cluster.
const NO_BINDINGS: Claim = &[id::ERR_NO_BINDINGS, id::ERR_NO_BINDINGS_CSUR];

fn no_clusters_picked(cx: &mut Cx<'_>) {
    for cause in causes(cx, NO_BINDINGS) {
        let run = cause.run;
        let name = run.placement.as_deref().unwrap_or_default();
        let placement = cx.find_placement(run);
        let policy = cx.find_latest_policy(run.meta.namespace(), name);
        let wanted = placement
            .and_then(|placement| placement.policy.span)
            .or(policy.and_then(|policy| policy.policy.span));
        let mut finding = NO_CLUSTERS_PICKED
            .at(wanted.unwrap_or(cause.span), "picks no cluster")
            .message(format!("{} failed: the policy of placement {name} picks no cluster, so there is no binding to roll out to", run.meta.name()))
            .why("a PickAll policy that matches nothing counts as scheduled; compare its affinity with the labels of the member clusters")
            .recover(Recoverability::RunIsDead)
            .about(Topic::placement_of(run, name));
        if wanted.is_some() {
            finding = finding.also(cause.span, "what the run says");
        }
        for decision in policy.into_iter().flat_map(|policy| &policy.decisions).take(2) {
            if let Some(reason) = &decision.reason {
                finding = finding.also(reason.span, format!("why not {}", &*decision.cluster));
            }
        }
        let finding = cause.settle(cx, finding);
        cx.report(finding);
    }
}
