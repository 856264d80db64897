//! FL0411 between-stages.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::commands::set_state;
use jiff::SignedDuration;

/// The next stage normally starts within seconds.
const PATIENCE: SignedDuration = SignedDuration::from_mins(1);

declare_rule! {
    /// A run between two stages that waits for its next look.
    ///
    /// ## Why it matters
    /// After looks that failed, the controller comes back after its old back-off even though the stage is done: up
    /// to 16 minutes 40 seconds. In that gap the run says that it makes progress and the next stage has no condition.
    ///
    /// ## What to do
    /// Wait, or set `spec.state` to `Stop` and back to `Run` to make it look at once.
    pub static BETWEEN_STAGES = Rule {
        code: "FL0411",
        name: "between-stages",
        severity: Severity::Note,
        reads: &[Kind::Run, Kind::Binding],
        check: between_stages,
    }
}

fn between_stages(cx: &mut Cx<'_>) {
    for run in cx
        .runs()
        .iter()
        .filter(|run| run.is_active() && run.progress_reason() == "UpdateRunProgressing")
    {
        let mut pairs =
            run.stages.windows(2).filter_map(|pair| Some((pair.first()?, pair.get(1)?)));
        let gap = pairs.find(|(done, next)| {
            done.has_succeeded() && next.conditions.is_empty() && !next.clusters.is_empty()
        });
        let Some((done, next)) = gap else { continue };
        let Some(ended) = done.condition("Succeeded").and_then(|condition| condition.since) else {
            continue;
        };
        let Some(age) = cx.surely_over(ended.value, PATIENCE) else {
            continue;
        };
        let held = |name: &str| {
            cx.find_binding(run, name).is_some_and(|binding| binding.first_failing().is_some())
        };
        if next.clusters.iter().any(|cluster| held(&cluster.name)) {
            continue;
        }
        cx.report(
            BETWEEN_STAGES
                .at(ended.span, format!("stage {} ended {} before the capture", done.name(), age.show()))
                .message(format!(
                    "{} is between stage {} and stage {}: the controller comes back by its back-off, within 16m 40s",
                    run.meta.name(),
                    done.name(),
                    next.name(),
                ))
                .why("after looks that failed, the old back-off also delays the start of the next stage")
                .recover(Recoverability::ResumesByItself)
                .command(set_state(&run.meta.key, "Stop"))
                .command(set_state(&run.meta.key, "Run")),
        );
    }
}
