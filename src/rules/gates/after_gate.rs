//! What a run does once a gate is open, in words.

use crate::facts::gate::Gate;
use crate::model::approval::Side;
use crate::model::run::{Run, StageStatus};
use crate::rules::sentence::join_names;

/// Says what the run does once this gate is open.
pub fn after_gate(gate: &Gate<'_>) -> String {
    after_gate_of(gate.run, gate.stage, gate.side)
}

/// Says what a run does once the gate on a side of a stage is open.
pub fn after_gate_of(run: &Run, stage: &str, side: Side) -> String {
    let title = run.meta.title();
    if side == Side::Before {
        return match run.find_stage(stage).filter(|stage| !stage.clusters.is_empty()) {
            Some(stage) => {
                format!("{title} starts {} within seconds of the approval.", show(stage))
            }
            None => format!("{title} starts stage {stage} within seconds of the approval."),
        };
    }
    let mut behind = run.stages.iter().skip_while(|other| other.name() != stage).skip(1);
    match behind.next() {
        Some(next) if !next.before.is_empty() => {
            format!("{title} then reaches the gate before stage {}.", next.name())
        }
        Some(next) if !next.clusters.is_empty() => {
            format!("{title} continues with {} after the approval.", show(next))
        }
        Some(next) => format!("{title} continues with stage {} after the approval.", next.name()),
        None if run.find_stage(stage).is_some() => format!("{title} ends after the approval."),
        None => format!("{title} continues after the approval."),
    }
}

/// Returns `stage dev (member1, member2)`.
fn show(stage: &StageStatus) -> String {
    let clusters = join_names(stage.clusters.iter().map(|cluster| &*cluster.name));
    format!("stage {} ({clusters})", stage.name())
}
