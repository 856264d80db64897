//! Placements that wait for the scheduler.

use crate::model::condition::{Condition, Status};
use crate::model::placement::Placement;
use crate::rule::Cx;

/// Returns the placements whose scheduling is pending, and the condition that says so.
pub fn pending<'g>(cx: &Cx<'g>) -> Vec<(&'g Placement, &'g Condition)> {
    let living = cx.placements().iter().filter(|placement| placement.meta.deleting.is_none());
    let scheduled =
        living.filter_map(|placement| Some((placement, placement.condition("Scheduled")?)));
    scheduled.filter(|(_, condition)| condition.status.value == Status::Unknown).collect()
}
