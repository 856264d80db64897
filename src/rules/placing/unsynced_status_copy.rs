//! FL0625 unsynced-status-copy.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::kube::time::show_duration;
use crate::model::placement::Placement;
use crate::model::read::read_time;
use crate::rule::Cx;
use crate::rules::chain::clip;
use crate::source::Spanned;
use jiff::{SignedDuration, Timestamp};

declare_rule! {
    /// A placement whose status copy in its namespace is not kept up.
    ///
    /// ## Why it matters
    /// With `statusReportingScope: NamespaceAccessible` people without access to the placement read a
    /// ClusterResourcePlacementStatus in the namespace. When it cannot be written, they see an old status or none.
    ///
    /// ## What to do
    /// See why the hub agent cannot write it: the namespace may be gone or terminating, or a right may be missing.
    pub static UNSYNCED_STATUS_COPY = Rule {
        code: "FL0625",
        name: "unsynced-status-copy",
        severity: Severity::Warning,
        reads: &[Kind::Placement, Kind::PlacementStatus],
        check: unsynced_status_copy,
    }
}

fn unsynced_status_copy(cx: &mut Cx<'_>) {
    for placement in cx.placements() {
        let key = &placement.meta.key;
        let old = find_old_copy(cx, placement);
        let Some(synced) = placement.condition("StatusSynced").filter(|c| c.is_false()) else {
            if let Some((updated, behind)) = old {
                cx.report(
                    UNSYNCED_STATUS_COPY
                        .at(updated.span, "last written")
                        .message(format!("the status copy of {key} is {} older than the placement's status", show_duration(behind)))
                        .why("whoever reads the ClusterResourcePlacementStatus in the namespace sees an old status; it is written after each change of the placement's own")
                        .recover(Recoverability::ResumesAfterRepair),
                );
            }
            continue;
        };
        cx.report(
            UNSYNCED_STATUS_COPY
                .at(synced.best_span(), "the copy is not written")
                .also_at(old.map(|(updated, _)| updated.span), "last written")
                .message(format!("the status copy of {key} is not kept up: {}", clip(synced.message())))
                .why("whoever reads the ClusterResourcePlacementStatus in the namespace sees an old status or none; the placement itself goes on")
                .recover(Recoverability::ResumesAfterRepair),
        );
    }
}

/// A copy is written right after the status itself.
const PATIENCE: SignedDuration = SignedDuration::from_mins(5);

/// Returns a copy that is older than the newest condition of its placement, and how much.
fn find_old_copy<'g>(
    cx: &Cx<'g>,
    placement: &Placement,
) -> Option<(Spanned<Timestamp>, SignedDuration)> {
    let copies = cx.objects(Kind::PlacementStatus, "ClusterResourcePlacementStatus");
    let copy = copies.into_iter().find(|copy| *copy.key.name == *placement.meta.key.name)?;
    let updated = read_time(&copy.root, "lastUpdatedTime")?;
    let stamps = placement.conditions.iter().filter_map(|condition| condition.since);
    let newest = stamps.map(|since| since.value).max()?;
    let behind = newest.duration_since(updated.value);
    (placement.meta.is_cluster_scoped() && behind >= PATIENCE).then_some((updated, behind))
}
