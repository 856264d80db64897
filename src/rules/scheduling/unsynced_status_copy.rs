//! FL0625 unsynced-status-copy.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::kube::time::show_duration;
use crate::model::placement::Placement;
use crate::rule::Cx;
use crate::rules::commands::hub_agent_log;
use crate::rules::sentence::{clip, full_stop};
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
                        .message(format!(
                            "The status copy of {key} is {} older than the status of the \
                             placement.",
                            show_duration(behind)
                        ))
                        .why(COPY)
                        .then("The hub agent writes the copy again with the next change.")
                        .recover(Recoverability::ResumesAfterRepair)
                        .step(hub_agent_log(), "shows why the copy is not written"),
                );
            }
            continue;
        };
        cx.report(
            UNSYNCED_STATUS_COPY
                .at(synced.best_span(), "the copy is not written")
                .also_at(old.map(|(updated, _)| updated.span), "last written")
                .message(full_stop(&format!(
                    "The hub agent does not write the status copy of {key}: {}",
                    clip(synced.message())
                )))
                .why(COPY)
                .then(format!("{} itself continues; only the copy is old.", key.name))
                .recover(Recoverability::ResumesAfterRepair)
                .step(hub_agent_log(), "shows why the copy is not written"),
        );
    }
}

/// What depends on the copy.
const COPY: &str = "Whoever reads the ClusterResourcePlacementStatus in the namespace sees an old \
     status or none. The placement itself does not depend on it.";

/// A copy is written right after the status itself.
const PATIENCE: SignedDuration = SignedDuration::from_mins(5);

/// Returns a copy that is older than the newest condition of its placement, and how much.
fn find_old_copy<'g>(
    cx: &Cx<'g>,
    placement: &Placement,
) -> Option<(Spanned<Timestamp>, SignedDuration)> {
    let copies = cx.objects(Kind::PlacementStatus, "ClusterResourcePlacementStatus");
    let copy = copies.into_iter().find(|copy| *copy.key.name == *placement.meta.key.name)?;
    let updated = copy.last_updated()?;
    let stamps = placement.conditions.iter().filter_map(|condition| condition.since);
    let newest = stamps.map(|since| since.value).max()?;
    let behind = newest.duration_since(updated.value);
    (placement.meta.is_cluster_scoped() && behind >= PATIENCE).then_some((updated, behind))
}
