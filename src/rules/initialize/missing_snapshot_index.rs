//! FL0109 missing-snapshot-index.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::{Role, id};
use crate::model::snapshot::is_latest;
use crate::rule::Cx;
use crate::rules::failure::{Claim, causes};

declare_rule! {
    /// A run for a resource snapshot that does not exist.
    ///
    /// ## Why it matters
    /// `resourceSnapshotIndex` names a snapshot of the placement, and the text must be exactly that of the snapshot's
    /// label: `00` or `+1` do not match `0` and `1`, although the message prints the number. Since v0.3.0 nobody makes
    /// snapshots for an External placement but a run without an index, so a first run with index 0 fails too.
    ///
    /// ## What to do
    /// Make a new run with an index that exists, or without one: then the run makes a snapshot of what stands on the
    /// hub and uses it. The field cannot be changed in a run.
    pub static MISSING_SNAPSHOT_INDEX = Rule {
        code: "FL0109",
        name: "missing-snapshot-index",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::ResourceSnapshot],
        check: missing_snapshot_index,
    }
}

/// The asked-for snapshot does not exist.
const NO_SNAPSHOT: Claim = &[
    id::ERR_SNAPSHOT_INDEX,
    id::ERR_SNAPSHOT_INDEX_CSUR,
    id::ERR_SNAPSHOT_INDEX_DOC,
    id::ERR_SNAPSHOT_NAME_OLD,
    id::ERR_INDEX_INVALID,
];

fn missing_snapshot_index(cx: &mut Cx<'_>) {
    for cause in causes(cx, NO_SNAPSHOT) {
        let run = cause.run;
        let asked =
            run.index.as_deref().or(cause.named(Role::SnapshotIndex)).unwrap_or("?").to_owned();
        let named =
            cause.named(Role::Placement).map(|name| name.rsplit('/').next().unwrap_or(name));
        let placement = run.placement.as_deref().or(named).unwrap_or_default();
        let snapshots = cx.snapshots_of(run.meta.namespace(), placement);
        let mut known: Vec<&str> = snapshots
            .iter()
            .filter_map(|snapshot| snapshot.index())
            .map(|index| &**index)
            .collect();
        known.sort_unstable_by_key(|index| (index.parse::<u64>().ok(), *index));
        known.dedup();
        let number =
            asked.trim_start_matches('+').parse::<u64>().ok().map(|number| number.to_string());
        let twin = number.as_deref().filter(|number| *number != asked && known.contains(number));
        let (exists, help) = match (twin, known.is_empty()) {
            (Some(number), _) => (
                format!("snapshot {number} exists, but the text {asked} is not its label"),
                "the index is compared as text with the snapshot's label, and printed as a number".to_owned(),
            ),
            (None, true) => (
                "the bundle shows no snapshot of the placement".to_owned(),
                "since v0.3.0 only a run without an index makes snapshots for an External placement".to_owned(),
            ),
            (None, false) => (
                format!("there are {}", known.join(", ")),
                "a run without an index makes a snapshot of what stands on the hub and uses it".to_owned(),
            ),
        };
        let mut finding = MISSING_SNAPSHOT_INDEX
            .at(run.index.as_ref().map_or(cause.span, |index| index.span), "no snapshot carries this index")
            .also(cause.span, "what the run says")
            .message(format!(
                "{} failed: placement {placement} has no resource snapshot with index {asked}; {exists}",
                run.meta.name(),
            ))
            .why(help)
            .recover(Recoverability::RunIsDead);
        let shown = snapshots.iter().find(|snapshot| {
            twin.map_or(is_latest(&snapshot.meta), |twin| {
                snapshot.index().is_some_and(|index| &**index == twin)
            })
        });
        if let Some(index) = shown.and_then(|snapshot| snapshot.index()) {
            finding = finding.also(
                index.span,
                if twin.is_some() { "the label that it does not equal" } else { "the latest one" },
            );
        }
        let finding = cause.settle(cx, finding);
        cx.report(finding);
    }
}
