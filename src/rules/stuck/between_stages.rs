//! FL0411 between-stages.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::model::run::{Run, StageStatus};
use crate::rule::Cx;
use jiff::SignedDuration;

/// The next stage normally starts within seconds.
const PATIENCE: SignedDuration = SignedDuration::from_mins(1);

declare_rule! {
    /// A run between two stages that waits for its next check.
    ///
    /// ## Why it matters
    /// After checks that failed, the controller comes back after its old back-off even though the stage is done: up
    /// to 16 minutes 40 seconds. In that gap the run says that it makes progress and the next stage has no condition.
    ///
    /// ## What to do
    /// Wait, or set `spec.state` to `Stop` and back to `Run` to make it check at once.
    pub static BETWEEN_STAGES = Rule {
        code: "FL0411",
        name: "between-stages",
        severity: Severity::Note,
        reads: &[Kind::Run, Kind::Binding],
        check: between_stages,
    }
}

fn between_stages(cx: &mut Cx<'_>) {
    let says_progress = |run: &&Run| run.progress_reason() == "UpdateRunProgressing";
    for run in cx.runs().iter().filter(|run| run.is_active()).filter(says_progress) {
        let Some((done, next)) = gap(run) else { continue };
        let Some(ended) = done.condition("Succeeded").and_then(|c| c.since) else { continue };
        let Some(age) = cx.surely_over(ended.value, PATIENCE) else { continue };
        let held = |name: &str| {
            cx.find_binding(run, name).is_some_and(|binding| binding.first_failing().is_some())
        };
        if next.clusters.iter().any(|cluster| held(&cluster.name)) {
            continue;
        }
        let (title, next) = (run.meta.title(), next.name());
        cx.report(
            BETWEEN_STAGES
                .at(
                    ended.span,
                    format!("stage {} ended {} before the capture", done.name(), age.show()),
                )
                .message(format!(
                    "{title} is between stage {} and stage {next}, and checks again within \
                         16m 40s.",
                    done.name(),
                ))
                .why("After failed checks, the back-off also delays the start of the next stage.")
                .then(format!(
                    "{title} starts stage {next} by itself within 16m 40s. No action needed."
                ))
                .hint("spec.state Stop and then Run again makes it check at once.")
                .recover(Recoverability::ResumesByItself),
        );
    }
}

/// Returns the last stage that is done, and the next, if that has clusters and has not begun.
fn gap(run: &Run) -> Option<(&StageStatus, &StageStatus)> {
    let mut pairs = run.stages.windows(2).filter_map(|pair| Some((pair.first()?, pair.get(1)?)));
    pairs.find(|(done, next)| {
        done.has_succeeded() && next.conditions.is_empty() && !next.clusters.is_empty()
    })
}
