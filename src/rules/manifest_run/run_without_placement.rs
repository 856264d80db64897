//! FL1202 run-without-placement.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::placement::Placement;
use crate::model::run::Run;
use crate::rule::Cx;
use crate::rules::manifest_run::reference::lost_reference;

declare_rule! {
    /// A run whose placement is not found.
    ///
    /// ## Why it matters
    /// A run that cannot find its placement fails once and for ever. A cluster-scoped run looks for a
    /// ClusterResourcePlacement, a namespaced one for a ResourcePlacement of its own namespace.
    ///
    /// ## What to do
    /// Correct the name, or make the placement first.
    pub static RUN_WITHOUT_PLACEMENT = Rule {
        code: "FL1202",
        name: "run-without-placement",
        severity: Severity::Warning,
        layer: Layer::Controller,
        reads: &[Kind::Run, Kind::Placement],
        check: run_without_placement,
    }
}

/// The scope in which each kind of run looks its placement up.
const SCOPES: &str = "a cluster-scoped run works on a ClusterResourcePlacement, \
     a namespaced one on a ResourcePlacement of its namespace";

fn run_without_placement(cx: &mut Cx<'_>) {
    for run in cx.drafts::<Run>() {
        let Some(name) = &run.placement else { continue };
        let finding =
            lost_reference::<Placement>(cx, &RUN_WITHOUT_PLACEMENT, run, name, "placement", SCOPES);
        finding.into_iter().for_each(|finding| cx.report(finding));
    }
}
