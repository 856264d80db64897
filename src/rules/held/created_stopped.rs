//! FL0409 created-stopped.

use crate::declare_rule;
use crate::facts::gate::{Answer, answer};
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::commands::set_state;

declare_rule! {
    /// A run that is stopped and has never started anything.
    ///
    /// ## Why it matters
    /// A run that is created with `spec.state: Stop` is initialized and reported as stopped at once. Nobody stopped
    /// it; it was never told to go.
    ///
    /// ## What to do
    /// Set `spec.state` to `Run`.
    pub static CREATED_STOPPED = Rule {
        code: "FL0409",
        name: "created-stopped",
        severity: Severity::Warning,
        reads: &[Kind::Run, Kind::ApprovalRequest],
        check: created_stopped,
    }
}

fn created_stopped(cx: &mut Cx<'_>) {
    for run in cx.runs().iter().filter(|run| !run.is_terminal() && run.state() == "Stop") {
        let Some(state) = &run.state else { continue };
        let Some(progress) =
            run.condition("Progressing").filter(|c| c.reason() == "UpdateRunStopped")
        else {
            continue;
        };
        let mut stages = run.all_stages();
        let touched = stages.any(|stage| {
            stage.start.is_some()
                || stage.clusters.iter().any(|cluster| cluster.started().is_some())
        });
        // An approval that waits for the run to go on tells more.
        let approved =
            cx.requests_of(run).into_iter().any(|request| answer(request) == Answer::Given);
        if touched || approved || run.meta.partial {
            continue;
        }
        cx.report(
            CREATED_STOPPED
                .at(state.span, "told to stop")
                .also(progress.best_span(), "so it stopped before it began")
                .message(format!("{} is in state Stop and has never started a cluster", run.meta.name()))
                .why("a run that is created with state Stop is initialized and then waits to be set to Run")
                .recover(Recoverability::NeedsPatch)
                .command(set_state(&run.meta.key, "Run")),
        );
    }
}
