//! FL0614 empty-cluster-list.

use crate::declare_rule;
use crate::facts::pending_placement::PendingPlacement;
use crate::finding::{Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::model::read::SpanOr;
use crate::rule::Cx;
use crate::rules::commands::edit_command;

declare_rule! {
    /// A PickFixed placement that names no cluster.
    ///
    /// ## Why it matters
    /// The scheduler skips such a policy silently: the placement stays at `SchedulePending`, and clusters that
    /// were named before keep what was placed.
    ///
    /// ## What to do
    /// Name a cluster. To take everything away, delete the placement.
    pub static EMPTY_CLUSTER_LIST = Rule {
        code: "FL0614",
        name: "empty-cluster-list",
        severity: Severity::Warning,
        reads: &[Kind::Placement],
        check: empty_cluster_list,
    }
}

fn empty_cluster_list(cx: &mut Cx<'_>) {
    for &PendingPlacement { placement, span, .. } in cx.pending_placements() {
        let (key, policy) = (&placement.meta.key, &placement.policy);
        if !policy.names_nobody() {
            continue;
        }
        let place = policy.kind.span_or(placement.meta.name_span);
        cx.report(
            EMPTY_CLUSTER_LIST
                .at(place, "without clusterNames")
                .also(span, "so this stays pending")
                .message(format!("{key} is PickFixed and names no cluster."))
                .why(
                    "The scheduler skips a PickFixed policy without names and writes no verdict. \
                      Clusters that were named before keep what was placed.",
                )
                .then(format!("{} is scheduled within seconds once it names a cluster.", key.name))
                .recover(Recoverability::ResumesAfterRepair)
                .step(edit_command(key), "opens it to name clusters in spec.policy.clusterNames")
                .explains(Topic::Placement(key.clone())),
        );
    }
}
