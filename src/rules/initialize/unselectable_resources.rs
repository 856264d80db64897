//! FL0116 unselectable-resources.

use crate::declare_rule;
use crate::facts::after_repair::Repair;
use crate::finding::{Finding, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::rule::Cx;
use crate::rules::commands::edit_for;
use crate::rules::run_failure::{ClaimedMessages, RunFailureCause, report_causes};

declare_rule! {
    /// A run whose placement selects what cannot be placed.
    ///
    /// ## Why it matters
    /// A run without an index creates the snapshot itself, so it meets the faults of the placement's selectors: the same
    /// resource twice, a reserved namespace, a kind that the hub does not know, a cluster-scoped resource in a
    /// ResourcePlacement.
    ///
    /// ## What to do
    /// Correct `spec.resourceSelectors` of the placement, then create a new run.
    pub static UNSELECTABLE_RESOURCES = Rule {
        code: "FL0116",
        name: "unselectable-resources",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::Placement],
        check: unselectable_resources,
    }
}

/// The resources cannot be selected.
const BAD_SELECTION: ClaimedMessages = &[
    id::ERR_SELECT_NAMESPACE_MODE,
    id::ERR_SELECT_DUP,
    id::ERR_SELECT_NS_FORBIDDEN,
    id::ERR_SELECT_GVR,
    id::ERR_SELECT_NS_IN_CRP,
    id::ERR_SELECT_CLUSTER_IN_RP,
];

fn unselectable_resources(cx: &mut Cx<'_>) {
    report_causes(cx, BAD_SELECTION, Repair::Resource, describe);
}

fn describe(cx: &Cx<'_>, cause: &RunFailureCause<'_>) -> Finding {
    let run = cause.run;
    let name = run.placement.as_deref().unwrap_or_default();
    let placement = cx.find_placement(run);
    let mut finding = UNSELECTABLE_RESOURCES
        .at(cause.span, cause.label())
        .message(format!(
            "The selectors of {} cannot be used: {}.",
            run.show_placement(),
            cause.clause()
        ))
        .why("A run without an index takes the snapshot itself, so it meets the selectors' faults.")
        .about(Topic::placement_of(run, name));
    for selector in placement.into_iter().flat_map(|placement| &placement.selectors).take(3) {
        finding = finding.also(selector.site.span, "a selector of the placement");
    }
    let edit = |key| edit_for(key, "correct spec.resourceSelectors");
    finding.command(placement.and_then(|placement| edit(&placement.meta.key)))
}
