//! FL0906 short-log.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::kube::time::show_duration;
use crate::model::log::Agent;
use crate::rule::Cx;
use crate::rules::commands::agent_log;

declare_rule! {
    /// A log that does not cover the moment in question.
    ///
    /// ## Why it matters
    /// The failure happened before the log begins or after it ends, so the log cannot say why. `kubectl logs -l` shows only the
    /// last ten lines of each pod unless it is told otherwise.
    ///
    /// ## What to do
    /// Collect the log again with `--tail=-1`, and with `--previous` if the pod was restarted.
    pub static SHORT_LOG = Rule {
        code: "FL0906",
        name: "short-log",
        severity: Severity::Note,
        reads: &[Kind::Run],
        check: short_log,
    }
}

fn short_log(cx: &mut Cx<'_>) {
    for run in cx.runs() {
        let Some((failure, failed)) =
            run.failure().and_then(|failure| Some((failure, failure.since?)))
        else {
            continue;
        };
        let mut hub = cx
            .logs()
            .iter()
            .filter(|log| log.agent == Agent::Hub)
            .filter_map(|log| Some((log, log.covers?)));
        let covered =
            hub.clone().any(|(_, (first, last))| first <= failed.value && failed.value <= last);
        let Some((log, (first, last))) = hub.next().filter(|_| !covered) else { continue };
        let few = if log.counts.lines <= 10 {
            " (ten lines are what kubectl logs -l shows by default)"
        } else {
            ""
        };
        let name = run.meta.name();
        let message = match failed.value < first {
            true => {
                let gap = show_duration(first.duration_since(failed.value));
                format!("The log of the hub agent starts {gap} after {name} failed{few}.")
            }
            false => {
                let gap = show_duration(failed.value.duration_since(last));
                format!("The log of the hub agent ends {gap} before {name} failed{few}.")
            }
        };
        cx.report(
            SHORT_LOG
                .at(failed.span, "the moment in question")
                .of_input()
                .also(failure.best_span(), "what happened then")
                .message(message)
                .why("A log explains what it covers.")
                .recover(Recoverability::NothingToDo)
                .command(agent_log("hub-agent", "--tail=-1 --timestamps")),
        );
    }
}
