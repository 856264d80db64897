//! FL0751 leaving-member.

use crate::declare_rule;
use crate::finding::{Command, Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::model::key::ObjectKey;
use crate::model::time::show_duration;
use crate::rule::{Cx, Scope};
use crate::rules::member::decision::refused_by_scheduler;
use crate::rules::member::heartbeat::pulses;
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
        scope: Scope::Bundle,
        reads: &[Kind::MemberCluster, Kind::InternalMemberCluster, Kind::Binding, Kind::Placement, Kind::PolicySnapshot],
        check: leaving_member,
    }
}

fn leaving_member(cx: &mut Cx<'_>) {
    let pulses = pulses(cx);
    let mut findings = Vec::new();
    for member in cx.members() {
        let name = member.meta.name();
        let Some(deleting) = member.meta.deleting else { continue };
        let internal = cx.internal_members().iter().find(|internal| internal.meta.name() == name);
        let state = internal.and_then(|internal| internal.state.as_ref());
        let left = state.filter(|state| &***state == "Leave");
        let age = cx.clock().since(deleting.value).map(show_duration).unwrap_or_default();
        let pulse = pulses.iter().find(|pulse| pulse.member.meta.name() == name);
        let silent = pulse.filter(|pulse| pulse.is_silent(cx)).and_then(|pulse| pulse.last());
        let why = if silent.is_some() { ", and its agent is silent, so nothing moves" } else { "" };
        let mut finding = LEAVING_MEMBER
            .at(deleting.span, "deleted here")
            .also_at(left.map(|state| state.span), "the agent is told to leave")
            .also_at(silent.map(|last| last.span), "the agent's last heartbeat")
            .message(format!("member cluster {name} is leaving the fleet: it was deleted {age} ago{why}"))
            .help("nothing new is placed or applied there any more; the hub waits up to 15 minutes for the agent, then removes the cluster by force")
            .recover(Recoverability::WaitsForPerson)
            .command(Command::look(format!("kubectl get memberclusters {name} -o yaml")))
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
    let stalls = cx.stalls().iter().filter(|stall| &*stall.cluster == member);
    let mut wanting: Vec<(ObjectKey, Span)> =
        stalls.map(|stall| (stall.placement.clone(), stall.condition.best_span())).collect();
    wanting.extend(refused_by_scheduler(cx, member));
    wanting
}
