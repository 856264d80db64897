//! FL0628 incomplete-snapshot-group.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::graph::Listing;
use crate::model::key::ObjectKey;
use crate::model::snapshot::is_latest;
use crate::rule::Cx;
use crate::rules::commands::labels_command;
use jiff::SignedDuration;

declare_rule! {
    /// A resource snapshot whose parts are not all there.
    ///
    /// ## Why it matters
    /// Resources beyond 800 KiB are split over several snapshots of one index; the master says how many. While one is
    /// missing, the hub agent calls the group not ready and rolls nothing out.
    ///
    /// ## What to do
    /// Wait if the group is younger than a minute. Else a part was deleted: change a selected resource, so that a new group
    /// is made.
    pub static INCOMPLETE_SNAPSHOT_GROUP = Rule {
        code: "FL0628",
        name: "incomplete-snapshot-group",
        severity: Severity::Error,
        reads: &[Kind::ResourceSnapshot, Kind::Placement],
        check: incomplete_snapshot_group,
    }
}

/// The parts are written right after each other.
const PATIENCE: SignedDuration = SignedDuration::from_mins(1);

fn incomplete_snapshot_group(cx: &mut Cx<'_>) {
    // A row of a table does not say which group it belongs to.
    let unlabelled = cx.resource_snapshots().iter().any(|it| it.index().is_none());
    for master in cx.resource_snapshots().iter().filter(|it| it.is_master() && is_latest(&it.meta))
    {
        let count = master.meta.annotation("kubernetes-fleet.io/number-of-resource-snapshots");
        let wanted = count.and_then(|count| count.parse::<usize>().ok());
        let (Some(count), Some(wanted), Some(placement)) = (count, wanted, master.placement())
        else {
            continue;
        };
        let namespace = master.meta.namespace();
        let created = master.meta.created;
        let late = created.and_then(|created| cx.surely_over(created.value, PATIENCE));
        if unlabelled
            || cx.listing(&master.meta.key.kind, namespace) != Listing::All
            || late.is_none()
        {
            continue;
        }
        let same = |text: &crate::model::read::Text| {
            master.index().is_some_and(|index| index.value == text.value)
        };
        let group = cx.snapshots_of(namespace, placement);
        let there = group.iter().filter(|one| one.index().is_some_and(same)).count();
        if there >= wanted {
            continue;
        }
        let key = ObjectKey::of(Kind::Placement, namespace, placement);
        let deleting = cx.find_placement_by(&key).is_some_and(|it| it.meta.deleting.is_some());
        if deleting {
            continue;
        }
        cx.report(
            INCOMPLETE_SNAPSHOT_GROUP
                .at(count.span, "so many parts belong together")
                .message(format!(
                    "The latest resource snapshot of {key} is incomplete: {there} of {wanted} \
                     parts exist."
                ))
                .why(
                    "Resources beyond 800 KiB are split over several snapshots of one index. The \
                      hub agent rolls nothing out while one of them is missing.",
                )
                .then(
                    "Change a selected resource on the hub: that creates a new, complete snapshot.",
                )
                .recover(Recoverability::ResumesAfterRepair)
                .step(
                    labels_command(&master.meta.key.kind, namespace, placement),
                    "lists the parts that exist by now",
                )
                .explains(Topic::Placement(key)),
        );
    }
}
