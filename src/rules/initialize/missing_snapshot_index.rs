//! FL0109 missing-snapshot-index.

use crate::declare_rule;
use crate::facts::after_repair::Repair;
use crate::facts::new_run::NewRunVersion;
use crate::finding::{Finding, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::{HoleRole, id};
use crate::graph::Listing;
use crate::model::read::SpanOr;
use crate::model::snapshot::{ResourceSnapshot, is_latest};
use crate::rule::Cx;
use crate::rules::run_failure::{ClaimedMessages, RunFailureCause, causes, finish_failed_run};
use crate::rules::sentence::join_names;

declare_rule! {
    /// A run for a resource snapshot that does not exist.
    ///
    /// ## Why it matters
    /// `resourceSnapshotIndex` names a snapshot of the placement, and the text must be exactly that of the snapshot's
    /// label: `00` or `+1` do not match `0` and `1`, although the message prints the number. Since v0.3.0 only a run
    /// without an index creates snapshots for an External placement, so a first run with index 0 fails too.
    ///
    /// ## What to do
    /// Create a new run with an index that exists, or without one: then the run creates a snapshot of what is on the
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
const NO_SNAPSHOT: ClaimedMessages = &[
    id::ERR_SNAPSHOT_INDEX,
    id::ERR_SNAPSHOT_INDEX_CSUR,
    id::ERR_SNAPSHOT_INDEX_DOC,
    id::ERR_SNAPSHOT_NAME_OLD,
    id::ERR_INDEX_INVALID,
];

/// What the bundle shows of the snapshots of the placement.
struct Shown<'g> {
    /// The index as the run writes it.
    asked: String,
    /// All of them.
    snapshots: Vec<&'g ResourceSnapshot>,
    /// Their indexes, in order.
    known: Vec<&'g str>,
    /// Whether a list shows that there are no others.
    is_whole: bool,
    /// The index that the run means, if only its spelling differs.
    twin: Option<&'g str>,
}

fn missing_snapshot_index(cx: &mut Cx<'_>) {
    for cause in causes(cx, NO_SNAPSHOT) {
        let shown = look(cx, &cause);
        let version = shown.twin.map_or(NewRunVersion::Fresh, NewRunVersion::Pinned);
        let outlook = cx.outlook_at(cause.run, Repair::Run, version);
        let finding = finish_failed_run(cx, cause.run, describe(&cause, &shown), outlook);
        cx.report(finding);
    }
}

fn look<'g>(cx: &Cx<'g>, cause: &RunFailureCause<'_>) -> Shown<'g> {
    let run = cause.run;
    let asked =
        run.index.as_deref().or(cause.named(HoleRole::SnapshotIndex)).unwrap_or("?").to_owned();
    let named =
        cause.named(HoleRole::Placement).map(|name| name.rsplit('/').next().unwrap_or(name));
    let placement = run.placement.as_deref().or(named).unwrap_or_default();
    let snapshots = cx.snapshots_of(run.meta.namespace(), placement);
    let indexes = snapshots.iter().filter_map(|snapshot| snapshot.index());
    let mut known: Vec<&str> = indexes.map(|index| &**index).collect();
    known.sort_unstable_by_key(|index| (index.parse::<u64>().ok(), *index));
    known.dedup();
    let kind = Kind::ResourceSnapshot.in_namespace(run.meta.namespace());
    let number = asked.trim_start_matches('+').parse::<u64>().ok().map(|number| number.to_string());
    let twin =
        known.iter().copied().find(|index| number.as_deref() == Some(index) && *index != asked);
    let is_whole = cx.listing(kind, run.meta.namespace()) == Listing::All;
    Shown { asked, snapshots, known, is_whole, twin }
}

fn describe(cause: &RunFailureCause<'_>, shown: &Shown<'_>) -> Finding {
    let Shown { asked, known, twin, .. } = shown;
    let run = cause.run;
    let there = match (known.as_slice(), shown.is_whole) {
        ([], _) => "The bundle shows no snapshot of the placement.".to_owned(),
        ([one], true) => format!("There is only snapshot {one}."),
        (some, true) => format!("There are snapshots {}.", join_names(some)),
        (some, false) => format!("The bundle shows snapshot {}.", join_names(some)),
    };
    let (there, why) = match twin {
        Some(twin) => (
            format!("Snapshot {twin} exists, but its label is not the text {asked}."),
            "The index is compared as text with the snapshot's label, and printed as a number.",
        ),
        None if known.is_empty() => (
            there,
            "Since v0.3.0 only a run without an index creates snapshots for an External placement.",
        ),
        None => (
            there,
            "A run looks its snapshot up by index. One without an index rolls out the resources as \
             they are on the hub.",
        ),
    };
    let of = run.placement.as_deref().map(|name| format!(" of {name}")).unwrap_or_default();
    let place = run.index.span_or(cause.span);
    let finding = MISSING_SNAPSHOT_INDEX
        .at(place, "no snapshot has this index")
        .also(cause.span, cause.label())
        .message(format!("{} asks for snapshot {asked}{of}. {there}", run.meta.title()))
        .why(why);
    let meant = |snapshot: &&&ResourceSnapshot| match twin {
        Some(twin) => snapshot.index().is_some_and(|index| **index == **twin),
        None => is_latest(&snapshot.meta),
    };
    let index = shown.snapshots.iter().find(meant).and_then(|snapshot| snapshot.index());
    let label = if twin.is_some() { "the label differs from the text" } else { "the latest one" };
    finding.also_at(index.map(|index| index.span), label)
}
