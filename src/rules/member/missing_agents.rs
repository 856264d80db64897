//! FL0755 missing-agents.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::model::condition::{Status, find_condition};
use crate::rule::Cx;

declare_rule! {
    /// A member that is called not joined only because the hub expects more agents.
    ///
    /// ## Why it matters
    /// With `--networking-agents-enabled` the hub waits for three agents per member. `Joined` of the MemberCluster then stays
    /// Unknown with one of them, but the scheduler asks the member agent alone, so placements work.
    ///
    /// ## What to do
    /// Install the networking agents, or start the hub agent without that flag.
    pub static MISSING_AGENTS = Rule {
        code: "FL0755",
        name: "missing-agents",
        severity: Severity::Note,
        reads: &[Kind::MemberCluster],
        check: missing_agents,
    }
}

fn missing_agents(cx: &mut Cx<'_>) {
    for member in cx.members() {
        let Some(joined) = member.condition("Joined") else { continue };
        let counts = joined.message().contains("expected") && joined.message().contains("got");
        let agent = member.agent().and_then(|agent| find_condition(&agent.conditions, "Joined"));
        let works = agent.is_some_and(|condition| condition.is_true());
        if joined.status.value != Status::Unknown || !counts || !works {
            continue;
        }
        cx.report(
            MISSING_AGENTS
                .at(joined.best_span(), "counts other agents as well")
                .message(format!(
                    "Joined of {} is Unknown because networking agents are missing, which \
                     placements do not need.",
                    member.meta.name()
                ))
                .why(
                    "The hub agent counts the networking agents as well. The scheduler asks the \
                      member agent alone, and that one has joined.",
                )
                .then(
                    "Placements work as they are. Joined turns True once the networking agents \
                       run, or the hub agent no longer expects them.",
                )
                .recover(Recoverability::WaitsForPerson),
        );
    }
}
