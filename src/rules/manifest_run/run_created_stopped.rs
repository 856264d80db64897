//! FL1210 run-created-stopped.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::Draft;
use crate::model::run::Run;
use crate::rule::Cx;

declare_rule! {
    /// A new run that is stopped.
    ///
    /// ## Why it matters
    /// It initializes and stops at once; nothing is rolled out until somebody sets `state: Run`.
    ///
    /// ## What to do
    /// Write `state: Run`, or `state: Initialize` to prepare it.
    pub static RUN_CREATED_STOPPED = Rule {
        code: "FL1210",
        name: "run-created-stopped",
        severity: Severity::Warning,
        layer: Layer::Advice,
        reads: &[Kind::Run],
        check: run_created_stopped,
    }
}

fn run_created_stopped(cx: &mut Cx<'_>) {
    for run in cx.drafts::<Run>().filter(Draft::is_new) {
        let Some(state) = run.told_to_stop() else { continue };
        let finding = RUN_CREATED_STOPPED
            .at_field(&state.place(), "stops before doing anything")
            .message(format!("run {} is made stopped", run.name()))
            .why("it initializes and stops at once");
        cx.report(finding);
    }
}
