//! FL0752 never-joined-member.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::model::age::Passed;
use crate::model::condition::{Condition, find_condition};
use crate::rule::Cx;
use crate::rules::chain::clip;
use crate::rules::commands::member_agent_command;
use crate::rules::member::decision::refused_by_scheduler;
use jiff::SignedDuration;

declare_rule! {
    /// A member cluster whose agent has not joined the fleet.
    ///
    /// ## Why it matters
    /// The MemberCluster exists on the hub, but its agent has never written to it (there is no agent status), or
    /// says that it could not join. The scheduler does not pick it, and a placement that names it stays
    /// unfulfilled.
    ///
    /// ## What to do
    /// Install and start the member agent on that cluster with this name and the hub's address, and look at its
    /// log if it does not join.
    pub static NEVER_JOINED_MEMBER = Rule {
        code: "FL0752",
        name: "never-joined-member",
        severity: Severity::Error,
        reads: &[Kind::MemberCluster, Kind::Placement, Kind::PolicySnapshot],
        check: never_joined_member,
    }
}

/// Installing and joining takes a while.
const PATIENCE: SignedDuration = SignedDuration::from_mins(5);

fn never_joined_member(cx: &mut Cx<'_>) {
    for member in cx.members() {
        let agent = member.agent();
        let said = agent.and_then(|agent| find_condition(&agent.conditions, "Joined"));
        let joined = said.or_else(|| member.condition("Joined"));
        // Without a stamp of its creation it is a manifest, not a member.
        let is_live = member.meta.created.is_some() && !member.meta.partial;
        let leaves = member.meta.deleting.is_some();
        if joined.is_some_and(Condition::is_true) || !is_live || leaves {
            continue;
        }
        let name = member.meta.name();
        let age = member.meta.created.and_then(|created| cx.clock().since(created.value));
        let wanting = refused_by_scheduler(cx, name);
        if wanting.is_empty() && age.is_some_and(|age| age.passed(PATIENCE) == Passed::No) {
            continue;
        }
        let age = age.map(|age| format!(", {} after it was made", age.show())).unwrap_or_default();
        let span = joined.map_or(member.meta.name_span, |joined| joined.best_span());
        let why = match (agent, joined) {
            (None, _) | (_, None) => "no member agent has connected to the hub".to_owned(),
            (Some(_), Some(joined)) => format!("{}, {}", joined.reason(), clip(joined.message())),
        };
        let mut finding = NEVER_JOINED_MEMBER
            .at(span, "the agent has not joined")
            .message(format!("member cluster {name} has not joined: {why}{age}"))
            .why("without an agent there is no heartbeat, so the scheduler does not pick the cluster; it is picked by itself once the agent has joined")
            .recover(Recoverability::ResumesAfterRepair)
            .command(member_agent_command(name))
            .explains(Topic::Member(name.into()));
        for (placement, span) in &wanting {
            finding = finding
                .also(*span, "this placement wants it")
                .explains(Topic::PlacementCluster(placement.clone(), name.into()));
        }
        if wanting.is_empty() {
            finding = finding.severity(Severity::Warning);
        }
        cx.report(finding);
    }
}
