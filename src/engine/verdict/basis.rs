//! [`Basis`]: what a verdict rests on, so that silence does not look like health.

use jiff::{SignedDuration, Timestamp};

use crate::grammar::kind::{Kind, KindSpec, find_kind};
use crate::graph::{Graph, HasMeta as _, Sighting};
use crate::model::key::ObjectKey;
use crate::syntax::Syntax;

/// What the bundle holds of what matters.
#[derive(Clone, Debug, Default)]
pub struct Basis {
    /// Runs.
    pub runs: usize,
    /// Placements.
    pub placements: usize,
    /// Placements that runs roll out.
    pub external: usize,
    /// Members.
    pub members: usize,
    /// Members that say they have joined.
    pub joined: usize,
    /// The age of the oldest heartbeat at capture, where every member has one.
    pub oldest_heartbeat: Option<SignedDuration>,
    /// Works.
    pub works: usize,
    /// Other objects of KubeFleet: bindings, snapshots, approval requests, evictions.
    pub others: usize,
    /// Objects of KubeFleet of which more was sent than rows of tables.
    pub detailed: usize,
    /// Logs.
    pub logs: usize,
    /// The placement that became available last.
    pub newest: Option<(ObjectKey, Timestamp)>,
}

/// Counts what there is.
pub(super) fn basis(graph: &Graph) -> Basis {
    let members = graph.members.as_slice();
    let joined = members
        .iter()
        .filter(|member| member.condition("Joined").is_some_and(|joined| joined.is_true()));
    let ages = members.iter().map(|member| {
        let beat = member.heartbeat()?;
        Some(graph.clock.since(beat.value)?.least)
    });
    let newest = graph.placements.iter().filter_map(|placement| {
        let available = placement.condition("Available").filter(|it| it.is_true())?;
        Some((available.since?.value, placement.key()))
    });
    Basis {
        runs: graph.runs.as_slice().len(),
        placements: graph.placements.as_slice().len(),
        external: graph.placements.iter().filter(|it| it.is_external()).count(),
        members: members.len(),
        joined: joined.count(),
        oldest_heartbeat: ages.collect::<Option<Vec<_>>>().and_then(|ages| ages.into_iter().max()),
        works: graph.works.as_slice().len(),
        others: graph.sightings.keys().filter(|key| is_other(key)).count(),
        detailed: graph.sightings.iter().filter(|(key, seen)| is_detailed(key, seen)).count(),
        logs: graph.logs.len(),
        newest: newest.max().map(|(at, key)| (key.clone(), at)),
    }
}

/// Says whether an object is one of KubeFleet that has no number of its own.
fn is_other(key: &ObjectKey) -> bool {
    let counted = [Kind::Run, Kind::Placement, Kind::MemberCluster, Kind::Work];
    find_kind(&key.kind).is_some_and(|spec| spec.is_fleet() && !counted.contains(&spec.family))
}

/// Says whether more was sent of an object of KubeFleet than rows.
fn is_detailed(key: &ObjectKey, seen: &[Sighting]) -> bool {
    find_kind(&key.kind).is_some_and(KindSpec::is_fleet)
        && seen.iter().any(|sighting| sighting.meta.syntax != Syntax::Table)
}

impl Basis {
    /// Says whether all that was sent of KubeFleet's objects are rows of tables.
    pub fn is_rows(&self) -> bool {
        self.size() > self.logs && self.detailed == 0
    }

    /// Counts all that a verdict could rest on.
    pub fn size(&self) -> usize {
        self.runs + self.placements + self.members + self.works + self.others + self.logs
    }
}
