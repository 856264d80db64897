//! FL0750 silent-member-agent.

use std::collections::{BTreeMap, BTreeSet};

use smol_str::SmolStr;

use crate::declare_rule;
use crate::facts::after_repair::Repair;
use crate::finding::{Certainty, Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::kube::time::show_clock;
use crate::model::binding::Binding;
use crate::model::condition::Condition;
use crate::model::key::ObjectKey;
use crate::model::placement::Placement;
use crate::rule::Cx;
use crate::rules::commands::{member_agent_command, member_agent_log};
use crate::rules::sentence::join_names;

declare_rule! {
    /// A member whose agent has stopped sending heartbeats.
    ///
    /// ## Why it matters
    /// Works for this member are written and nobody applies them; deletions hang; the scheduler no longer picks
    /// it. `Joined` and `Healthy` stay True all the same, because nothing on the hub takes them back: only the
    /// age of `lastReceivedHeartbeat` tells.
    ///
    /// ## What to do
    /// Look at the member agent on that cluster: is its pod running, does it reach the hub, is its token valid?
    /// When it is back, Works are processed at once and a stuck run continues by itself.
    pub static SILENT_MEMBER_AGENT = Rule {
        code: "FL0750",
        name: "silent-member-agent",
        severity: Severity::Error,
        reads: &[Kind::MemberCluster, Kind::Work, Kind::Binding],
        check: silent_member_agent,
    }
}

fn silent_member_agent(cx: &mut Cx<'_>) {
    let pulses = cx.pulses();
    // Looked at once for all members: a fleet may have thousands that are silent.
    let fresh = pulses.iter().filter(|pulse| pulse.is_fresh(cx.clock(), pulse.last()));
    let living: BTreeSet<&str> = fresh.map(|pulse| pulse.name).collect();
    let others_live = |name: &str| living.iter().any(|other| *other != name);
    let (bound, mut wanting) = (bound_members(cx), None);
    let waiting = waiting_placements(cx);
    let mut findings = Vec::new();
    for pulse in pulses.iter().filter(|pulse| pulse.is_silent(cx.clock())) {
        let name = pulse.name;
        let Some(last) = pulse.last() else { continue };
        // With all heartbeats old and no word of the agents themselves, the hub may not be copying.
        if pulse.own.is_none() && !others_live(name) && pulses.len() > 1 {
            continue;
        }
        let shown = pulse.own.is_some() || others_live(name);
        let age = cx.clock().since(last.value).map(|age| age.show()).unwrap_or_default();
        let suffering = waiting.get(name).map_or(&[][..], Vec::as_slice);
        let outlook = outlook(cx, name, suffering);
        let mut finding = SILENT_MEMBER_AGENT
            .at(last.span, "the last heartbeat")
            .message(format!(
                "The member agent of {name} has been silent for {age}. Its last heartbeat came at \
                 {}.",
                show_clock(last.value)
            ))
            .why(format!(
                "Nothing that the hub writes for {name} is applied until its member agent is \
                 back. Joined and Healthy do not change; only the heartbeat shows it."
            ))
            .then(outlook)
            .recover(Recoverability::ResumesAfterRepair)
            .step(member_agent_command(name), "shows whether the member agent runs")
            .step(member_agent_log(name), "shows why the member agent does not reach the hub")
            .explains(Topic::Member(name.into()));
        if !shown {
            finding = finding.certainty(Certainty::Likely);
        }
        if !bound.contains(name)
            && wanting.get_or_insert_with(|| WantingPlacements::of(cx)).leave_out(name)
        {
            finding = finding.severity(Severity::Note);
        }
        let joined = pulse.member.and_then(|member| member.condition("Joined"));
        let joined = joined.filter(|joined| joined.is_true());
        finding = finding.also_at(
            joined.map(|joined| joined.status.span),
            "stays True although the agent is silent",
        );
        for work in cx.works_of(name).filter(|work| !work.is_processed()).take(3) {
            let seen = work.verdict().map(Condition::generation_span);
            let generation = work.meta.generation.map(|generation| generation.span);
            finding = finding
                .also_at(seen.or(generation), "the member agent has not processed this Work");
        }
        for (placement, cluster) in suffering {
            finding = finding
                .explains(Topic::PlacementCluster(placement.clone(), cluster.clone()))
                .explains(Topic::Rollout(placement.clone()));
        }
        findings.push(finding);
    }
    findings.into_iter().for_each(|finding| cx.report(finding));
}

/// Returns the members on which something is placed or about to be.
fn bound_members<'g>(cx: &Cx<'g>) -> BTreeSet<&'g str> {
    let wanted = |binding: &&Binding| {
        binding.state.as_deref() != Some("Unscheduled") && binding.meta.deleting.is_none()
    };
    cx.bindings().iter().filter(wanted).map(Binding::cluster).collect()
}

/// What placements still want of members: where nothing waits to be placed on a member without a binding, its silence
/// harms nobody.
struct WantingPlacements<'g> {
    /// Whether it is known of all placements that they are scheduled.
    settled: bool,
    /// The members that their status names.
    named: BTreeSet<&'g str>,
}

impl<'g> WantingPlacements<'g> {
    fn of(cx: &Cx<'g>) -> Self {
        if cx.bindings().is_empty() {
            return Self { settled: false, named: BTreeSet::new() };
        }
        let scheduled =
            |placement: &Placement| placement.condition("Scheduled").is_none_or(Condition::is_true);
        let placements = cx.placements();
        let clusters = placements.iter().flat_map(|placement| &placement.clusters);
        Self {
            settled: placements.iter().all(scheduled),
            named: clusters.map(|cluster| cluster.name()).collect(),
        }
    }

    /// Says whether no placement waits for a member.
    fn leave_out(&self, member: &str) -> bool {
        self.settled && !self.named.contains(member)
    }
}

/// Returns the placements that wait for the agents of members, by member.
fn waiting_placements<'g>(cx: &Cx<'g>) -> BTreeMap<&'g str, Vec<(ObjectKey, SmolStr)>> {
    let mut waiting: BTreeMap<&str, Vec<_>> = BTreeMap::new();
    for stall in cx.blocked_rollouts().iter().filter(|stall| !stall.lists_failures) {
        let placed = (stall.placement.clone(), stall.cluster.clone());
        waiting.entry(&stall.cluster).or_default().push(placed);
    }
    waiting
}

/// Says what becomes of those that wait for the agent of a member.
fn outlook(cx: &Cx<'_>, name: &str, suffering: &[(ObjectKey, SmolStr)]) -> String {
    if let [(placement, _)] = suffering {
        return cx.outlook(placement, &[name], Repair::Member).then;
    }
    match join_names(suffering.iter().map(|(placement, _)| &*placement.name)) {
        none if none.is_empty() => {
            format!("{name} is served again within seconds of the return of its member agent.")
        }
        names => format!(
            "{names} continue by themselves once the member agent of {name} is back. A run that \
             waits checks within a further 16m 40s."
        ),
    }
}
