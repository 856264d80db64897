//! Which placements want a member that the scheduler does not give them.

use crate::model::key::ObjectKey;
use crate::rule::Cx;
use crate::source::Span;

/// Returns the placements whose scheduling failed on a member, and where the scheduler says so.
pub fn unscheduled_on(cx: &Cx<'_>, member: &str) -> Vec<(ObjectKey, Span)> {
    let shortages = cx.shortages().iter();
    shortages
        .filter_map(|shortage| Some((shortage.key().clone(), shortage.refuses(member)?)))
        .collect()
}
