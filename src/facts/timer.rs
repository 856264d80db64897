//! Timed waits that have not elapsed: their start, length and end.

use jiff::Timestamp;

use super::gate::Gate;
use crate::model::approval::Side;
use crate::model::read::Text;
use crate::source::Spanned;

/// A timed wait that has not been recorded as over.
#[derive(Debug)]
pub struct Timer<'g> {
    /// Where the run waits.
    pub gate: Gate<'g>,
    /// When the stage began to wait.
    pub since: Spanned<Timestamp>,
    /// How long it is to wait, as written.
    pub wait: &'g Text,
    /// The moment at which the wait ends.
    pub end: Timestamp,
}

/// Returns the timed waits of all runs.
pub(super) fn find_timers<'g>(gates: &[Gate<'g>]) -> Vec<Timer<'g>> {
    gates.iter().cloned().filter_map(timer).collect()
}

fn timer(gate: Gate<'_>) -> Option<Timer<'_>> {
    let open = gate.side == Side::After && gate.open_wait().is_some();
    let stage = gate.status.filter(|_| open)?;
    let since =
        stage.condition("Progressing").filter(|c| c.reason() == "StageUpdatingWaiting")?.since?;
    let tasks = &gate.run.frozen_stage(gate.stage)?.after;
    let task = tasks.iter().find(|task| task.is_timed_wait())?;
    let end = since.value.checked_add(task.wait_time()?).ok()?;
    Some(Timer { since, wait: task.wait.as_ref()?, end, gate })
}
