//! Whether a member agent lives, by the age of its heartbeat at capture.
//!
//! Nothing on the hub takes Joined or Healthy back when heartbeats stop (KubeFleet
//! pkg/controllers/membercluster), so only the age tells. The agent writes to the InternalMemberCluster,
//! the hub agent copies from there: an old copy of a fresh heartbeat accuses the hub, not the member.

use jiff::{SignedDuration, Timestamp};

use crate::grammar::kind::Kind;
use crate::graph::{Clock, Graph};
use crate::model::cluster::{InternalMember, MemberCluster};
use crate::source::Spanned;

/// The scheduler gives up on a member after this time (KubeFleet pkg/scheduler/clustereligibilitychecker).
const LEAST: SignedDuration = SignedDuration::from_mins(5);

/// Both objects of a member carry its heartbeat.
pub const READS: &[Kind] = &[Kind::MemberCluster, Kind::InternalMemberCluster];

/// What the heartbeats of a member tell.
#[derive(Debug)]
pub struct MemberHeartbeat<'g> {
    /// The member's name.
    pub name: &'g str,
    /// The member, unless only its InternalMemberCluster was sent.
    pub member: Option<&'g MemberCluster>,
    /// The heartbeat on the MemberCluster.
    pub copy: Option<Spanned<Timestamp>>,
    /// The heartbeat on the InternalMemberCluster, where the agent itself writes it.
    pub own: Option<Spanned<Timestamp>>,
    limit: SignedDuration,
}

impl MemberHeartbeat<'_> {
    /// Says whether a heartbeat is recent at capture.
    pub fn is_fresh(&self, clock: &Clock, heartbeat: Option<Spanned<Timestamp>>) -> bool {
        let age = heartbeat.and_then(|heartbeat| clock.since(heartbeat.value));
        age.is_some_and(|age| age.least <= self.limit)
    }

    /// Returns the last heartbeat known, wherever it stands.
    pub fn last(&self) -> Option<Spanned<Timestamp>> {
        self.own.into_iter().chain(self.copy).max_by_key(|heartbeat| heartbeat.value)
    }

    /// Says whether the agent is silent, as far as heartbeats tell.
    pub fn is_silent(&self, clock: &Clock) -> bool {
        self.last().is_some() && !self.is_fresh(clock, self.last())
    }
}

/// Returns the pulse of every member that the bundle knows by either of its objects.
pub(super) fn find_pulses(graph: &Graph) -> Vec<MemberHeartbeat<'_>> {
    let internal = |name: &str| graph.find_internal_member(name);
    let seen = graph.members.iter().map(|member| {
        let name = member.meta.name();
        pulse(name, Some(member), internal(name))
    });
    let internals = graph.internal_members.iter();
    let alone = internals.filter(|it| graph.find_member(it.meta.name()).is_none());
    seen.chain(alone.map(|it| pulse(it.meta.name(), None, Some(it)))).collect()
}

fn pulse<'g>(
    name: &'g str,
    member: Option<&'g MemberCluster>,
    internal: Option<&'g InternalMember>,
) -> MemberHeartbeat<'g> {
    let period = member.and_then(|member| member.period).map_or(60, |period| period.value);
    let period = SignedDuration::from_secs(period);
    MemberHeartbeat {
        name,
        member,
        copy: member.and_then(MemberCluster::heartbeat),
        own: internal.and_then(InternalMember::heartbeat),
        limit: LEAST.max(period.saturating_mul(2)),
    }
}
