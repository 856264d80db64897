//! FL0910 hub-agent-down.

use crate::declare_rule;
use crate::facts::heartbeat::MemberHeartbeat;
use crate::finding::{Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::model::age::Age;
use crate::model::cluster::MemberCluster;
use crate::model::lease::Lease;
use crate::rule::Cx;
use crate::rules::commands::{agent_log, hub_agent_command};
use crate::source::{Span, Spanned};
use jiff::{SignedDuration, Timestamp};

declare_rule! {
    /// A hub agent that does not work, so nothing on the hub reacts.
    ///
    /// ## Why it matters
    /// The hub agent runs every controller of the hub: scheduling, rollouts, runs, Works, and the copying of
    /// heartbeats. Without it nothing reacts to a change, every condition keeps saying what was true before, and
    /// the heartbeats on all MemberClusters grow old although the members are well.
    ///
    /// ## What to do
    /// Bring the hub agent back: look at its pod, its events and its log in `fleet-system`. It continues where it
    /// stopped. A successor may wait for the old lease first, a minute at most.
    pub static HUB_AGENT_DOWN = Rule {
        code: "FL0910",
        name: "hub-agent-down",
        severity: Severity::Error,
        reads: &[Kind::MemberCluster, Kind::Lease],
        check: hub_agent_down,
    }
}

fn hub_agent_down(cx: &mut Cx<'_>) {
    let lease = expired_lease(cx);
    let lagging = lagging_copies(cx);
    let first = lagging.first();
    let mut finding = match (&lease, first) {
        (Some(lease), _) => HUB_AGENT_DOWN.at(lease.renewed.span, "last renewed").message(format!(
            "The hub agent is down: its lease {} has not been renewed for {}.",
            lease.name,
            lease.age.show()
        )),
        (None, Some((member, copy, _))) => {
            HUB_AGENT_DOWN.at(copy.span, "the copy of the hub agent has stopped").message(format!(
                "The hub agent is down: it no longer copies heartbeats. {member} still writes its \
                 own, and the copy on the MemberCluster is old."
            ))
        }
        (None, None) => return,
    };
    for (member, copy, own) in lagging.iter().take(2) {
        finding = finding
            .also(*own, format!("{member} still writes its own heartbeat"))
            .also(copy.span, "the copy of the hub agent has stopped");
    }
    cx.report(
        finding
            .why(
                "The hub agent runs every controller of the hub. Without it runs, placements and \
                  copied heartbeats stay as they were, whatever their conditions say.",
            )
            .then(
                "Runs and placements continue by themselves within a minute of the return of \
                   the hub agent.",
            )
            .recover(Recoverability::ResumesAfterRepair)
            .step(hub_agent_command(), "shows whether the hub agent runs and who holds its lease")
            .step(agent_log("hub-agent", "--tail=200"), "shows why the hub agent stopped")
            .explains(Topic::HubAgent),
    );
}

/// The lease by which one hub agent leads.
struct ExpiredLease<'g> {
    name: &'g str,
    renewed: Spanned<Timestamp>,
    age: Age,
}

/// Leaders renew every few seconds; this much beyond the lease's duration is no hiccup.
const SLACK: SignedDuration = SignedDuration::from_secs(15);

/// Finds the hub agent's lease if it has run out.
fn expired_lease<'g>(cx: &Cx<'g>) -> Option<ExpiredLease<'g>> {
    let leases = cx.objects(Kind::Lease, "Lease");
    let of_hub = leases
        .into_iter()
        .filter(|meta| meta.name().contains("hub.fleet") || meta.name().contains("hub-agent"));
    of_hub
        .filter_map(|meta| {
            let Lease { renewed, duration } = Lease::read(meta)?;
            let age = cx.clock().since(renewed.value)?;
            let limit = duration.saturating_add(SLACK);
            // Heartbeats copied long after it tell that only this file is older than the others.
            let copied = cx
                .members()
                .iter()
                .filter_map(MemberCluster::heartbeat)
                .map(|beat| beat.value)
                .max();
            if copied.is_some_and(|copied| copied.duration_since(renewed.value) > limit) {
                return None;
            }
            (age.least > limit).then_some(ExpiredLease { name: meta.name(), renewed, age })
        })
        .next()
}

/// Returns members whose own heartbeat is fresh and whose copy on the MemberCluster is old.
fn lagging_copies<'g>(cx: &Cx<'g>) -> Vec<(&'g str, Spanned<Timestamp>, Span)> {
    let lag = |pulse: &'g MemberHeartbeat<'g>| {
        let (copy, own) = (pulse.copy?, pulse.own?);
        let behind =
            pulse.is_fresh(cx.clock(), Some(own)) && !pulse.is_fresh(cx.clock(), Some(copy));
        behind.then_some((pulse.name, copy, own.span))
    };
    cx.pulses().iter().filter_map(lag).collect()
}
