//! FL0407 stop-limbo.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::model::condition::Condition;
use crate::rule::Cx;
use crate::rules::commands::set_state_for;
use crate::rules::sentence::join_names;

declare_rule! {
    /// A run that was stopped right before its deletion stage and never gets stopped.
    ///
    /// ## Why it matters
    /// Such a run is reported as stopped only when no binding is left to delete, and a stopping run deletes none.
    /// It stays in Stopping permanently, although nothing is in flight.
    ///
    /// ## What to do
    /// Set `spec.state` to `Run`, so that the deletion stage continues, or delete the run.
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
        let stopping = |c: &&Condition| c.reason() == "UpdateRunStopping";
        let Some(progress) = run.condition("Progressing").filter(stopping) else { continue };
        let deletion = run.deletion_stage.as_ref().and_then(|stage| stage.condition("Progressing"));
        let stopped = |c: &&Condition| c.reason() == "StageUpdatingStopped";
        let Some(stopped) = deletion.filter(stopped) else { continue };
        let name = run.meta.name();
        let stage = run.deletion_stage.iter().flat_map(|stage| &stage.clusters);
        let clusters: Vec<&str> = stage.map(|cluster| &*cluster.name).collect();
        let effect = match clusters.is_empty() {
            true => "continues the deletion stage".to_owned(),
            false => format!("continues, and removes the resources from {}", join_names(clusters)),
        };
        cx.report(
            STOP_LIMBO
                .at(progress.best_span(), format!("{name} stays in Stopping permanently"))
                .also(stopped.best_span(), "the deletion stage has stopped already")
                .message(format!(
                    "{} never finishes its stop: it waits for bindings that a stopping run \
                         does not delete.",
                    run.meta.title(),
                ))
                .why(
                    "Nothing is in flight. A run counts as stopped when no binding is left to \
                     delete.",
                )
                .then(format!(
                    "{} stays in Stopping until it is resumed or deleted.",
                    run.meta.title()
                ))
                .recover(Recoverability::NeedsPatch)
                .command(set_state_for(&run.meta.key, "Run", effect)),
        );
    }
}
