//! FL0407 stop-limbo.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::commands::set_state;

declare_rule! {
    /// A run that was stopped right before its deletion stage and never gets stopped.
    ///
    /// ## Why it matters
    /// Such a run is reported as stopped only when no binding is left to delete, and a stopping run deletes none.
    /// It says Stopping for ever, although nothing is in flight.
    ///
    /// ## What to do
    /// Set `spec.state` to `Run`, so that the deletion stage goes on, or delete the run.
    pub static STOP_LIMBO = Rule {
        code: "FL0407",
        name: "stop-limbo",
        severity: Severity::Warning,
        reads: &[Kind::Run],
        check: stop_limbo,
    }
}

fn stop_limbo(cx: &mut Cx<'_>) {
    for run in cx.runs().iter().filter(|run| !run.is_terminal() && run.state() == "Stop") {
        let Some(progress) =
            run.condition("Progressing").filter(|c| c.reason() == "UpdateRunStopping")
        else {
            continue;
        };
        let deletion = run.deletion_stage.as_ref().and_then(|stage| stage.condition("Progressing"));
        let Some(stopped) =
            deletion.filter(|condition| condition.reason() == "StageUpdatingStopped")
        else {
            continue;
        };
        cx.report(
            STOP_LIMBO
                .at(progress.best_span(), "says stopping, for ever")
                .also(stopped.best_span(), "the deletion stage is stopped already")
                .message(format!(
                    "{} never becomes stopped: a stop in the deletion stage waits for bindings that it does not delete",
                    run.meta.name(),
                ))
                .why("nothing is in flight; only going on (state Run) or deleting the run leads out")
                .recover(Recoverability::NeedsPatch)
                .command(set_state(&run.meta.key, "Run")),
        );
    }
}
