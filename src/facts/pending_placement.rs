//! Placements that wait for the scheduler.

use jiff::Timestamp;

use crate::grammar::kind::Kind;
use crate::graph::Graph;
use crate::model::condition::Status;
use crate::model::placement::Placement;
use crate::source::{Span, Spanned};

/// The placement, or its policy snapshot where that alone was sent.
pub const READS: &[Kind] = &[Kind::Placement, Kind::PolicySnapshot];

/// A placement whose scheduling is pending.
#[derive(Debug)]
pub struct PendingPlacement<'g> {
    /// The placement.
    pub placement: &'g Placement,
    /// The text that shows it as pending.
    pub span: Span,
    /// Since when the scheduler has owed an answer, if a condition tells.
    pub since: Option<Spanned<Timestamp>>,
}

/// Returns the placements whose scheduling is pending: they say so, or their policy snapshot alone was
/// sent and has no verdict.
pub(super) fn find_pending(graph: &Graph) -> Vec<PendingPlacement<'_>> {
    let living = graph.placements.iter().filter(|placement| placement.meta.deleting.is_none());
    let told = living.filter_map(|placement| {
        let scheduled = placement.condition("Scheduled")?;
        let open = scheduled.status.value == Status::Unknown;
        open.then(|| PendingPlacement {
            placement,
            span: scheduled.best_span(),
            since: scheduled.since,
        })
    });
    let implied = graph.implied.iter().filter(|placement| placement.conditions.is_empty());
    let implied = implied.filter(|placement| !placement.meta.key.name.is_empty());
    let unanswered = implied.filter_map(|placement| {
        let key = &placement.meta.key;
        let snapshot = graph.find_latest_policy(&key.namespace, &key.name)?;
        let whole = !snapshot.meta.partial && !snapshot.meta.is_open();
        let (span, since) = (snapshot.meta.name_span, snapshot.meta.created);
        whole.then_some(PendingPlacement { placement, span, since })
    });
    told.chain(unanswered).collect()
}
