//! FL0737 stale-placement-status.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::commands::hub_agent_command;

declare_rule! {
    /// A placement whose status speaks of an older generation throughout, so its last change was not taken up.
    ///
    /// ## Why it matters
    /// Every condition says what was true before the change, often True. The placement controller raises
    /// `observedGeneration` within a second or two; if none of the conditions has the current generation, the
    /// controller is not running or cannot get on with this placement.
    ///
    /// ## What to do
    /// Look at the hub agent: is it running, does it hold its lease, what does its log say about this placement?
    pub static STALE_PLACEMENT_STATUS = Rule {
        code: "FL0737",
        name: "stale-placement-status",
        severity: Severity::Warning,
        reads: &[Kind::Placement],
        check: stale_placement_status,
    }
}

fn stale_placement_status(cx: &mut Cx<'_>) {
    for placement in cx.placements() {
        let Some(generation) = placement.meta.generation.filter(|_| !placement.meta.partial) else {
            continue;
        };
        let newest = placement.conditions.iter().max_by_key(|condition| condition.generation());
        let Some(newest) = newest.filter(|newest| newest.generation() < generation.value) else {
            continue;
        };
        let key = &placement.meta.key;
        let finding = STALE_PLACEMENT_STATUS
            .at(newest.generation_span(), "the newest condition is for this generation")
            .also(generation.span, "the placement is at this generation")
            .message(format!(
                "The hub agent has not picked up the last change of {key}: its status is for \
                 generation {}, and the placement is at generation {}.",
                newest.generation(),
                generation.value
            ))
            .why(
                "The conditions were true before the last change. A hub agent that works raises \
                  observedGeneration within seconds.",
            )
            .then(format!("{} continues by itself once the hub agent works again.", key.name))
            .recover(Recoverability::ResumesAfterRepair)
            .step(hub_agent_command(), "shows whether the hub agent runs and who holds its lease")
            .about(Topic::HubAgent)
            .explains(Topic::Placement(key.clone()));
        cx.report(finding);
    }
}
