//! FL0409 created-stopped.

use crate::declare_rule;
use crate::facts::gate::{ApprovalState, answer};
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::model::condition::Condition;
use crate::model::run::Run;
use crate::rule::Cx;
use crate::rules::stuck::start_command::{start, start_command};

declare_rule! {
    /// A run that is stopped and has never started anything.
    ///
    /// ## Why it matters
    /// A run that is created with `spec.state: Stop` is initialized and reported as stopped at once. No one stopped
    /// it; it was never told to start.
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
    for run in cx.runs().iter().filter(|run| !run.is_terminal()) {
        let Some(state) = run.told_to_stop() else { continue };
        let stopped = |c: &&Condition| c.reason() == "UpdateRunStopped";
        let Some(progress) = run.condition("Progressing").filter(stopped) else { continue };
        // An approval that waits for the run to continue tells more.
        let approved =
            cx.requests_of(run).into_iter().any(|request| answer(request) == ApprovalState::Given);
        if was_touched(run) || approved || run.meta.partial {
            continue;
        }
        let title = run.meta.title();
        cx.report(
            CREATED_STOPPED
                .at(state.span, "told to stop")
                .also(progress.best_span(), "so it stopped before it began")
                .message(format!("{title} is in state Stop and has never started a cluster."))
                .why("A run in state Stop is initialized and then waits to be set to Run.")
                .then(start(cx, run))
                .recover(Recoverability::NeedsPatch)
                .command(start_command(cx, run)),
        );
    }
}

fn was_touched(run: &Run) -> bool {
    run.all_stages().any(|stage| {
        stage.start.is_some() || stage.clusters.iter().any(|cluster| cluster.started().is_some())
    })
}
