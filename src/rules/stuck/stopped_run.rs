//! FL0408 stopped-run.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::model::condition::Condition;
use crate::rule::Cx;
use crate::rules::commands::set_state_for;

declare_rule! {
    /// A run that was stopped with clusters left to do.
    ///
    /// ## Why it matters
    /// Some clusters have the new version, the others what they had, until the run is resumed or another one created.
    ///
    /// ## What to do
    /// Set `spec.state` to `Run` to continue.
    pub static STOPPED_RUN = Rule {
        code: "FL0408",
        name: "stopped-run",
        severity: Severity::Note,
        reads: &[Kind::Run],
        check: stopped_run,
    }
}

fn stopped_run(cx: &mut Cx<'_>) {
    for run in cx.runs().iter().filter(|run| !run.is_terminal() && run.state() == "Stop") {
        let stopped = |c: &&Condition| c.reason() == "UpdateRunStopped";
        let Some(progress) = run.condition("Progressing").filter(stopped) else { continue };
        let clusters = || run.stages.iter().flat_map(|stage| &stage.clusters);
        let done = clusters().filter(|cluster| cluster.started().is_some()).count();
        let total = clusters().count();
        // A run that never started anything is another matter.
        if done == 0 || done == total {
            continue;
        }
        let (name, title) = (run.meta.name(), run.meta.title());
        let are = if done == 1 { "is" } else { "are" };
        let state = run.state.as_ref().map(|state| state.span);
        cx.report(
            STOPPED_RUN
                .at(progress.best_span(), "stopped")
                .also_at(state, "told to stop")
                .message(format!("{title} is stopped. {done} of {total} clusters {are} updated."))
                .why("A stopped run can be resumed. Its gates and waits count only while it runs.")
                .then(format!("The other clusters keep what they have until {name} is resumed."))
                .recover(Recoverability::WaitsForPerson)
                .command(set_state_for(&run.meta.key, "Run", format!("resumes {name}"))),
        );
    }
}
