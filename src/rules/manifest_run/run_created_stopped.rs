//! FL1210 run-created-stopped.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::rule::ManifestCx;

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
        manifest: run_created_stopped,
    }
}

fn run_created_stopped(cx: &mut ManifestCx<'_>) {
    for run in cx.of(Kind::Run).filter(|run| run.before.is_none()) {
        let Some(state) = run.stored().at(&["spec", "state"]).filter(|s| s.str() == Some("Stop"))
        else {
            continue;
        };
        let finding = RUN_CREATED_STOPPED
            .on(&state.place(), "stops before doing anything")
            .message(format!("run {} is made stopped", run.name()))
            .help("it initializes and stops at once");
        cx.report(finding);
    }
}
