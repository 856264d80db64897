//! FL0751 leaving-member.

use crate::declare_rule;
use crate::facts::heartbeat::Pulse;
use crate::finding::{Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::model::key::ObjectKey;
use crate::rule::Cx;
use crate::rules::commands::member_cluster_command;
use crate::rules::member::decision::refused_by_scheduler;
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
        reads: &[Kind::MemberCluster, Kind::InternalMemberCluster, Kind::Placement, Kind::PolicySnapshot],
        check: leaving_member,
    }
}

fn leaving_member(cx: &mut Cx<'_>) {
    let pulses = cx.pulses();
    let mut findings = Vec::new();
    for pulse in pulses {
        let name = pulse.name;
        let deleting = pulse.member.and_then(|member| member.meta.deleting);
        let internal = cx.find_internal_member(name);
        let state = internal.and_then(|internal| internal.state.as_ref());
        let left = state.filter(|state| &***state == "Leave").map(|state| state.span);
        // What the hub asks of the agent counts where the member itself was not sent.
        let told = left.filter(|_| pulse.member.is_none());
        let Some(place) = deleting.map(|deleting| deleting.span).or(told) else { continue };
        let age = deleting.and_then(|deleting| cx.clock().since(deleting.value));
        let since = match age {
            Some(age) => format!("it was deleted {} ago", age.show()),
            None => "its agent is told to leave".to_owned(),
        };
        let silent = Some(pulse).filter(|pulse| pulse.is_silent(cx.clock())).and_then(Pulse::last);
        let why = if silent.is_some() { ", and its agent is silent, so nothing moves" } else { "" };
        let mut finding = LEAVING_MEMBER
            .at(place, if deleting.is_some() { "deleted here" } else { "the agent is told to leave" })
            .also_at(left.filter(|left| *left != place), "the agent is told to leave")
            .also_at(silent.map(|last| last.span), "the agent's last heartbeat")
            .message(format!("member cluster {name} is leaving the fleet: {since}{why}"))
            .why("nothing new is placed or applied there any more; the hub waits up to 15 minutes for the agent, then removes the cluster by force")
            .recover(Recoverability::WaitsForPerson)
            .command(member_cluster_command(name))
            .explains(Topic::Member(name.into()));
        let wanting = wanting(cx, name);
        for (placement, span) in &wanting {
            finding = finding
                .also(*span, "this waits for it")
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
    wanting.extend(refused_by_scheduler(cx, member));
    wanting
}
