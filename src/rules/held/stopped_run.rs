//! FL0408 stopped-run.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::commands::set_state;

declare_rule! {
    /// A run that was stopped with clusters left to do.
    ///
    /// ## Why it matters
    /// Some clusters have the new version, others the old one, until the run is resumed or another one made.
    ///
    /// ## What to do
    /// Set `spec.state` to `Run` to go on.
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
        let Some(progress) =
            run.condition("Progressing").filter(|c| c.reason() == "UpdateRunStopped")
        else {
            continue;
        };
        let clusters = || run.stages.iter().flat_map(|stage| &stage.clusters);
        let done = clusters().filter(|cluster| cluster.started().is_some()).count();
        let total = clusters().count();
        // A run that never started anything is another matter.
        if done == 0 || done == total {
            continue;
        }
        let mut finding = STOPPED_RUN
            .at(progress.best_span(), "stopped")
            .message(format!(
                "{} is stopped with {done} of {total} clusters updated: the fleet runs two versions until it goes on",
                run.meta.name(),
            ))
            .why("a stopped run can be resumed; its gates and waits count only while it runs")
            .recover(Recoverability::WaitsForPerson)
            .command(set_state(&run.meta.key, "Run"));
        if let Some(state) = &run.state {
            finding = finding.also(state.span, "as it was told");
        }
        cx.report(finding);
    }
}
