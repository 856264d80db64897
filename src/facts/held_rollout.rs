//! Rolling updates that their own budget holds back.

use crate::grammar::kind::Kind;
use crate::graph::Graph;
use crate::model::condition::Condition;
use crate::model::placement::Placement;

/// The placement says it itself.
pub const READS: &[Kind] = &[Kind::Placement];

/// A placement whose rolling update is held back.
#[derive(Debug)]
pub struct HeldRollout<'g> {
    /// The placement.
    pub placement: &'g Placement,
    /// The condition that says so.
    pub started: &'g Condition,
}

/// Returns the placements whose rolling update is held back.
pub(super) fn find_held_rollouts(graph: &Graph) -> Vec<HeldRollout<'_>> {
    let rolling = graph.placements.iter().filter(|placement| !placement.is_external());
    let living = rolling.filter(|placement| placement.meta.deleting.is_none());
    let told = living.filter_map(|placement| {
        // A piece of the status may show nothing but the entry of a cluster.
        let entries = placement.clusters.iter().filter(|_| placement.meta.partial);
        let piece = || entries.filter_map(|cluster| cluster.condition("RolloutStarted"));
        let own = placement.condition("RolloutStarted");
        let started = own.or_else(|| piece().find(|condition| condition.is_false()))?;
        Some(HeldRollout { placement, started })
    });
    told.filter(|held| held.started.is_false()).collect()
}
