//! FL0110 broken-snapshot-group.

use crate::declare_rule;
use crate::facts::after_repair::Repair;
use crate::facts::new_run::NewRunVersion;
use crate::finding::{Finding, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::rule::Cx;
use crate::rules::commands::labels_command;
use crate::rules::run_failure::{ClaimedMessages, RunFailureCause, causes, finish_failed_run};

declare_rule! {
    /// A resource snapshot that lacks its master or some of its parts.
    ///
    /// ## Why it matters
    /// Many resources are split over several snapshots of one index; the master carries the hash and the number of the
    /// parts. A run cannot start on a group that is not whole. In a namespace, a split snapshot together with any
    /// override fails every run.
    ///
    /// ## What to do
    /// Create a new run without an index, so that a new snapshot is created. If it happens again in a namespace with
    /// overrides, select fewer resources or drop the overrides.
    pub static BROKEN_SNAPSHOT_GROUP = Rule {
        code: "FL0110",
        name: "broken-snapshot-group",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::ResourceSnapshot],
        check: broken_snapshot_group,
    }
}

/// The snapshot group lacks its master, or parts.
const BROKEN_GROUP: ClaimedMessages = &[
    id::ERR_NO_MASTER,
    id::ERR_NO_MASTER_V01DEV,
    id::ERR_NO_MASTER_CSUR,
    id::ERR_SNAPSHOT_MASTER_OLD,
    id::ERR_OVERRIDE_SNAPSHOTS_PARTIAL,
];

fn broken_snapshot_group(cx: &mut Cx<'_>) {
    for cause in causes(cx, BROKEN_GROUP) {
        let finding = describe(cx, &cause);
        let outlook = cx.outlook_at(cause.run, Repair::Run, NewRunVersion::Fresh);
        let finding = finish_failed_run(cx, cause.run, finding, outlook);
        cx.report(finding);
    }
}

fn describe(cx: &Cx<'_>, cause: &RunFailureCause<'_>) -> Finding {
    let run = cause.run;
    let placement = run.placement.as_deref().unwrap_or_default();
    let snapshots = cx.snapshots_of(run.meta.namespace(), placement);
    let mut finding = BROKEN_SNAPSHOT_GROUP
        .at(cause.span, cause.label())
        .message(format!(
            "The resource snapshots of {} are incomplete: {}.",
            run.show_placement(),
            cause.words()
        ))
        .why("A run needs the master snapshot of an index and all of its parts.");
    for snapshot in snapshots.iter().filter(|snapshot| !snapshot.is_master()).take(2) {
        finding = finding.also(snapshot.meta.name_span, "not a master");
    }
    if snapshots.is_empty() {
        let kind = Kind::ResourceSnapshot.in_namespace(run.meta.namespace());
        finding = finding.command(labels_command(kind, run.meta.namespace(), placement));
    }
    finding
}
