//! FL0741 outdated-rollout-mark.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::commands::{hub_agent_command, hub_agent_log};
use jiff::SignedDuration;

declare_rule! {
    /// A binding whose `RolloutStarted` speaks of an older generation.
    ///
    /// ## Why it matters
    /// The hub writes no Work for a binding until `RolloutStarted` has the binding's generation, so the rest of its conditions
    /// is out of date too. In a rolling update the rollout controller renews it within seconds.
    ///
    /// ## What to do
    /// Look at the hub agent and its log. A binding that was edited by hand needs nothing else.
    pub static OUTDATED_ROLLOUT_MARK = Rule {
        code: "FL0741",
        name: "outdated-rollout-mark",
        severity: Severity::Warning,
        reads: &[Kind::Binding, Kind::Placement],
        check: outdated_rollout_mark,
    }
}

/// The rollout controller renews the mark within seconds.
const PATIENCE: SignedDuration = SignedDuration::from_mins(5);

fn outdated_rollout_mark(cx: &mut Cx<'_>) {
    for binding in cx.bindings() {
        let bound = binding.state.as_deref() == Some("Bound") && binding.meta.deleting.is_none();
        let Some(key) = binding.placement_key().filter(|_| bound) else { continue };
        // Runs judge this themselves.
        let rolling = cx
            .find_placement_by(&key)
            .is_some_and(|it| !it.is_external() && !it.meta.partial && it.meta.deleting.is_none());
        let (Some(generation), Some(started)) =
            (binding.meta.generation, binding.condition("RolloutStarted"))
        else {
            continue;
        };
        let newest = binding.conditions.iter().filter_map(|condition| condition.since);
        let newest = newest.map(|since| since.value).max();
        let old = newest.and_then(|newest| cx.surely_over(newest, PATIENCE));
        if !rolling || old.is_none() || started.generation() >= generation.value {
            continue;
        }
        cx.report(
            OUTDATED_ROLLOUT_MARK
                .at(started.generation_span(), "RolloutStarted is for this generation")
                .also(generation.span, "the binding is at this generation")
                .message(format!(
                    "The hub agent writes nothing for {}: RolloutStarted of its binding is for \
                     generation {}, and the binding is at generation {}.",
                    binding.cluster(),
                    started.generation(),
                    generation.value
                ))
                .why(
                    "The hub agent writes Works only after its rollout controller has renewed \
                      RolloutStarted. That takes seconds while the hub agent works.",
                )
                .then(format!("{} continues by itself once the hub agent works again.", key.name))
                .recover(Recoverability::ResumesAfterRepair)
                .step(hub_agent_command(), "shows whether the hub agent runs and holds its lease")
                .step(hub_agent_log(), format!("shows what fails for {}", binding.meta.name()))
                .about(Topic::HubAgent)
                .about(Topic::PlacementCluster(key, binding.cluster().into())),
        );
    }
}
