//! FL1204 run-without-strategy.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::run::Run;
use crate::model::strategy::Strategy;
use crate::rule::Cx;
use crate::rules::manifest_run::reference::lost_reference;

declare_rule! {
    /// A run whose strategy is not found.
    ///
    /// ## Why it matters
    /// A run that cannot find its strategy fails once and for ever. A cluster-scoped run looks for a
    /// ClusterStagedUpdateStrategy, a namespaced one for a StagedUpdateStrategy of its own namespace.
    ///
    /// ## What to do
    /// Correct the name, or make the strategy first.
    pub static RUN_WITHOUT_STRATEGY = Rule {
        code: "FL1204",
        name: "run-without-strategy",
        severity: Severity::Warning,
        layer: Layer::Controller,
        reads: &[Kind::Run, Kind::Strategy],
        check: run_without_strategy,
    }
}

/// The scope in which each kind of run looks its strategy up.
const SCOPES: &str = "a cluster-scoped run reads a ClusterStagedUpdateStrategy, \
     a namespaced one a StagedUpdateStrategy of its namespace";

fn run_without_strategy(cx: &mut Cx<'_>) {
    for run in cx.drafts::<Run>() {
        let Some(name) = &run.strategy else { continue };
        let finding =
            lost_reference::<Strategy>(cx, &RUN_WITHOUT_STRATEGY, run, name, "strategy", SCOPES);
        finding.into_iter().for_each(|finding| cx.report(finding));
    }
}
