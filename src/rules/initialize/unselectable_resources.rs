//! FL0116 unselectable-resources.

use crate::declare_rule;
use crate::finding::Topic;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::rule::Cx;
use crate::rules::failure::{Claim, causes};

declare_rule! {
    /// A run whose placement selects what cannot be placed.
    ///
    /// ## Why it matters
    /// A run without an index makes the snapshot itself, so it meets the faults of the placement's selectors: the same
    /// resource twice, a reserved namespace, a kind that the hub does not know, a cluster-scoped resource in a
    /// ResourcePlacement.
    ///
    /// ## What to do
    /// Correct `spec.resourceSelectors` of the placement, then make a new run.
    pub static UNSELECTABLE_RESOURCES = Rule {
        code: "FL0116",
        name: "unselectable-resources",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::Placement],
        check: unselectable_resources,
    }
}

/// The resources cannot be selected.
const BAD_SELECTION: Claim = &[
    id::ERR_SELECT_NAMESPACE_MODE,
    id::ERR_SELECT_DUP,
    id::ERR_SELECT_NS_FORBIDDEN,
    id::ERR_SELECT_GVR,
    id::ERR_SELECT_NS_IN_CRP,
    id::ERR_SELECT_CLUSTER_IN_RP,
];

fn unselectable_resources(cx: &mut Cx<'_>) {
    for cause in causes(cx, BAD_SELECTION) {
        let run = cause.run;
        let name = run.placement.as_deref().unwrap_or_default();
        let selectors = cx
            .find_placement(run)
            .map(|placement| placement.selectors.as_slice())
            .unwrap_or_default();
        let mut finding = UNSELECTABLE_RESOURCES
            .at(cause.span, "cannot be selected")
            .message(format!("{} failed: the selectors of placement {name} cannot be used: {}", run.meta.name(), cause.words()))
            .why("a run without an index takes the snapshot itself and so meets the faults of the selectors")
            .recover(Recoverability::RunIsDead)
            .about(Topic::placement_of(run, name));
        for selector in selectors.iter().take(3) {
            finding = finding.also(selector.span, "a selector of the placement");
        }
        let finding = cause.settle(cx, finding);
        cx.report(finding);
    }
}
