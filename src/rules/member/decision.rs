//! Which placements want a member that the scheduler does not give them.

use crate::model::key::ObjectKey;
use crate::model::placement::Placement;
use crate::rule::Cx;
use crate::source::Span;

/// Returns the placements whose scheduling failed on a member, and where the scheduler says so.
pub fn refused_by_scheduler(cx: &Cx<'_>, member: &str) -> Vec<(ObjectKey, Span)> {
    let unfulfilled = cx.placements().iter().filter(|placement| is_unfulfilled(placement));
    unfulfilled
        .filter_map(|placement| {
            let key = &placement.meta.key;
            let policy = cx.find_latest_policy(&key.namespace, &key.name);
            let decisions = policy.into_iter().flat_map(|policy| &policy.decisions);
            let mut refused = decisions
                .filter(|decision| &*decision.cluster == member)
                .filter(|decision| decision.selected.is_some_and(|selected| !selected.value));
            let by_policy = refused.next().map(|decision| {
                decision.reason.as_ref().map_or(decision.cluster.span, |reason| reason.span)
            });
            let by_status = || {
                let failed = placement.clusters.iter().flat_map(|cluster| &cluster.conditions);
                failed
                    .filter(|condition| condition.reason() == "ScheduleFailed")
                    .find(|condition| condition.message().contains(&format!("\"{member}\"")))
                    .map(|condition| condition.best_span())
            };
            Some((key.clone(), by_policy.or_else(by_status)?))
        })
        .collect()
}

fn is_unfulfilled(placement: &Placement) -> bool {
    placement.condition("Scheduled").is_some_and(|scheduled| scheduled.is_false())
}
