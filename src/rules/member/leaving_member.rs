//! FL0751 leaving-member.

use crate::declare_rule;
use crate::facts::heartbeat::MemberHeartbeat;
use crate::finding::{Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::model::key::ObjectKey;
use crate::rule::Cx;
use crate::rules::commands::{look_at_hub, member_agent_command};
use crate::rules::member::wanting_placements::unscheduled_on;
use crate::source::Span;

declare_rule! {
    /// A member cluster that is being removed from the fleet.
    ///
    /// ## Why it matters
    /// The scheduler no longer picks it, and nothing new is applied there. The hub waits for the member agent
    /// to say goodbye, up to 15 minutes, and then removes it by force; with a silent agent nothing moves until
    /// then. What was placed stays on the cluster.
    ///
    /// ## What to do
    /// If that is meant, take the cluster out of placements that name it, and let the leave finish. If not, wait
    /// until it is gone and join it again: a deletion cannot be taken back.
    pub static LEAVING_MEMBER = Rule {
        code: "FL0751",
        name: "leaving-member",
        severity: Severity::Error,
        reads: &[Kind::MemberCluster, Kind::InternalMemberCluster],
        check: leaving_member,
    }
}

/// How the hub asks a member agent to leave.
const TOLD: &str = "the member agent is told to leave";

fn leaving_member(cx: &mut Cx<'_>) {
    let pulses = cx.pulses();
    let mut findings = Vec::new();
    for pulse in pulses {
        let name = pulse.name;
        let deleting = pulse.member.and_then(|member| member.meta.deleting);
        let internal = cx.find_internal_member(name);
        let state = internal.and_then(|internal| internal.state.as_ref());
        let left = state.filter(|state| **state == "Leave").map(|state| state.span);
        // What the hub asks of the agent counts where the member itself was not sent.
        let told = left.filter(|_| pulse.member.is_none());
        let Some(place) = deleting.map(|deleting| deleting.span).or(told) else { continue };
        let age = deleting.and_then(|deleting| cx.clock().since(deleting.value));
        let since = match age {
            Some(age) => format!("someone deleted it {} before the capture", age.show()),
            None => "its member agent is told to leave".to_owned(),
        };
        let silent =
            Some(pulse).filter(|pulse| pulse.is_silent(cx.clock())).and_then(MemberHeartbeat::last);
        let why = if silent.is_some() {
            ". Its member agent is silent, so the leave does not finish"
        } else {
            ""
        };
        let mut finding = LEAVING_MEMBER
            .at(place, if deleting.is_some() { "deleted here" } else { TOLD })
            .also_at(left.filter(|left| *left != place), TOLD)
            .also_at(silent.map(|last| last.span), "last heartbeat of the member agent")
            .message(format!("Member cluster {name} is leaving the fleet: {since}{why}."))
            .why(
                "The scheduler no longer picks a member that is being deleted, and nothing new is \
                  applied there. What was placed stays on the cluster.",
            )
            .then(format!(
                "The hub waits up to 15m for the member agent of {name} and then removes it. A \
                 deletion cannot be undone: to keep {name}, let it leave and join it again."
            ))
            .recover(Recoverability::WaitsForPerson)
            .step(
                member_agent_command(name).filter(|_| silent.is_some()),
                "shows whether the member agent can finish the leave",
            )
            .step(
                look_at_hub().words("get memberclusters").build().filter(|_| silent.is_none()),
                format!("shows whether {name} has left by now"),
            )
            .explains(Topic::Member(name.into()));
        let wanting = wanting(cx, name);
        for (placement, span) in &wanting {
            finding = finding
                .also(*span, "waits for this member")
                .explains(Topic::PlacementCluster(placement.clone(), name.into()));
        }
        if wanting.is_empty() {
            finding = finding.severity(Severity::Warning);
        }
        findings.push(finding);
    }
    findings.into_iter().for_each(|finding| cx.report(finding));
}

/// Returns the placements that cannot do without the member, and where that shows.
fn wanting(cx: &Cx<'_>, member: &str) -> Vec<(ObjectKey, Span)> {
    let stalls = cx.blocked_rollouts().iter().filter(|stall| &*stall.cluster == member);
    let mut wanting: Vec<(ObjectKey, Span)> =
        stalls.map(|stall| (stall.placement.clone(), stall.condition.best_span())).collect();
    wanting.extend(unscheduled_on(cx, member));
    wanting
}
