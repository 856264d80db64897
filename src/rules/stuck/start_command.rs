//! What happens when a run that waits is set to Run, and the command that does it.

use crate::finding::Command;
use crate::model::run::Run;
use crate::rule::Cx;
use crate::rules::commands::set_state_for;
use crate::rules::sentence::join_names;

/// Says what happens when the run is set to Run.
pub fn start(cx: &Cx<'_>, run: &Run) -> String {
    let (name, title) = (run.meta.name(), run.meta.title());
    if let Some(active) = rival(cx, run) {
        let other = active.meta.name();
        return format!(
            "{title} waits. Set to Run now, it takes clusters from {other}; wait \
                 until {other} has ended."
        );
    }
    match run.stages.iter().find(|stage| !stage.clusters.is_empty()) {
        Some(stage) if stage.before.is_empty() => {
            let clusters = join_names(stage.clusters.iter().map(|cluster| &*cluster.name));
            format!(
                "{title} starts stage {} ({clusters}) within seconds of this patch.",
                stage.name()
            )
        }
        Some(stage) => {
            format!(
                "After this patch, {name} waits for the approval before stage {}.",
                stage.name()
            )
        }
        None => format!("{title} starts its first stage after this patch."),
    }
}

/// Sets the run to Run, unless that would take clusters from another one.
pub fn start_command(cx: &Cx<'_>, run: &Run) -> Option<Command> {
    if rival(cx, run).is_some() {
        return None;
    }
    set_state_for(&run.meta.key, "Run", format!("starts {}", run.meta.name()))
}

fn rival<'g>(cx: &Cx<'g>, run: &Run) -> Option<&'g Run> {
    let runs = cx.runs_of(run.meta.namespace(), run.placement.as_deref()?);
    runs.into_iter().find(|other| other.is_active() && other.meta.key != run.meta.key)
}
