//! FL0913 ten-line-log.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::message::line;
use crate::rule::Cx;
use crate::rules::commands::agent_log;

declare_rule! {
    /// A log of ten lines, which is what `kubectl logs -l` shows unless told otherwise.
    ///
    /// ## Why it matters
    /// With a selector kubectl shows only the last ten lines of each container. What the log lacks proves nothing.
    ///
    /// ## What to do
    /// Collect the log again with `--tail=-1`.
    pub static TEN_LINE_LOG = Rule {
        code: "FL0913",
        name: "ten-line-log",
        severity: Severity::Note,
        reads: &[],
        check: ten_line_log,
    }
}

fn ten_line_log(cx: &mut Cx<'_>) {
    let events = cx.log_events();
    for (number, log) in cx.logs().iter().enumerate().filter(|(_, log)| log.counts.lines == 10) {
        let first = events.iter().find(|event| event.log == number);
        let span = first.map_or_else(|| cx.start_of_log(log), |event| event.span);
        // A log that shows the start of its process is short because the process is young.
        let whole =
            events.iter().any(|event| event.log == number && event.is(line::HUBAGENT_STARTING));
        if whole {
            continue;
        }
        let name = log.agent.name().unwrap_or("hub-agent");
        cx.report(
            TEN_LINE_LOG
                .at(span, "the first line that is kept")
                .of_input()
                .message(format!(
                    "The log of {name} has ten lines, what kubectl logs -l shows by default."
                ))
                .why(
                    "What stands before them was left out when the log was collected. Nothing \
                     follows from its absence.",
                )
                .recover(Recoverability::NothingToDo)
                .command(agent_log(name, "--tail=-1 --timestamps")),
        );
    }
}
