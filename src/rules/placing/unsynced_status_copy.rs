//! FL0625 unsynced-status-copy.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::rule::{Cx, Scope};
use crate::rules::chain::clip;

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
        scope: Scope::Bundle,
        reads: &[Kind::Placement],
        check: unsynced_status_copy,
    }
}

fn unsynced_status_copy(cx: &mut Cx<'_>) {
    for placement in cx.placements() {
        let Some(synced) = placement.condition("StatusSynced").filter(|c| c.is_false()) else {
            continue;
        };
        let key = &placement.meta.key;
        cx.report(
            UNSYNCED_STATUS_COPY
                .at(synced.best_span(), "the copy is not written")
                .message(format!("the status copy of {key} is not kept up: {}", clip(synced.message())))
                .help("whoever reads the ClusterResourcePlacementStatus in the namespace sees an old status or none; the placement itself goes on")
                .recover(Recoverability::ResumesAfterRepair),
        );
    }
}
