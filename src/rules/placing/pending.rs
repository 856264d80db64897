//! Placements that wait for the scheduler.

use jiff::Timestamp;

use crate::model::condition::Status;
use crate::model::placement::Placement;
use crate::rule::Cx;
use crate::source::{Span, Spanned};

/// A placement whose scheduling is pending.
pub struct Pending<'g> {
    /// The placement.
    pub placement: &'g Placement,
    /// Where that shows.
    pub span: Span,
    /// Since when.
    pub since: Option<Spanned<Timestamp>>,
}

/// Returns the placements whose scheduling is pending: they say so, or their policy snapshot alone was
/// sent and has no verdict.
pub fn pending<'g>(cx: &Cx<'g>) -> Vec<Pending<'g>> {
    let living = cx.placements().iter().filter(|placement| placement.meta.deleting.is_none());
    let told = living.filter_map(|placement| {
        let scheduled = placement.condition("Scheduled")?;
        let open = scheduled.status.value == Status::Unknown;
        open.then(|| Pending { placement, span: scheduled.best_span(), since: scheduled.since })
    });
    let implied =
        cx.implied_placements().iter().filter(|placement| placement.conditions.is_empty());
    let unanswered = implied.filter_map(|placement| {
        let key = &placement.meta.key;
        let snapshot = cx.find_latest_policy(&key.namespace, &key.name)?;
        let whole = !snapshot.meta.partial;
        let (span, since) = (snapshot.meta.name_span, snapshot.meta.created);
        whole.then_some(Pending { placement, span, since })
    });
    told.chain(unanswered).collect()
}
