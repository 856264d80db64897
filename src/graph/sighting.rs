//! Sightings: the same object, seen in several files or at several moments.

use std::cmp::Reverse;
use std::sync::Arc;

use jiff::Timestamp;

use crate::model::meta::Meta;
use crate::model::read::read_time;
use crate::model::time::read_timestamp;
use crate::source::Span;
use crate::syntax::Syntax;

/// One time that an object was seen.
#[derive(Clone, Debug)]
pub struct Sighting {
    /// What was seen.
    pub meta: Arc<Meta>,
    /// The newest stamp in it: it was captured at that moment or later.
    pub newest: Option<(Timestamp, Span)>,
}

impl Sighting {
    /// Notes a sighting.
    pub fn new(meta: Arc<Meta>) -> Self {
        let newest = newest_stamp(&meta);
        Self { meta, newest }
    }

    /// Sorts sightings of one object so that the best comes first.
    ///
    /// Whole objects before fragments and table rows; then the later moment; then the form that
    /// loses least. The place in the bundle decides ties, so that the order is fixed.
    pub fn rank(sightings: &mut [Self]) {
        sightings.sort_by_key(|sighting| {
            let meta = &sighting.meta;
            let form = match (meta.partial, meta.syntax) {
                (false, _) => 0,
                (true, Syntax::Table) => 2,
                (true, _) => 1,
            };
            let moment =
                (Reverse(meta.resource_version), Reverse(sighting.newest.map(|(at, _)| at)));
            (form, moment, meta.syntax, meta.span)
        });
    }
}

/// Returns the newest stamp that controllers wrote into an object's status or metadata, and its place.
fn newest_stamp(meta: &Meta) -> Option<(Timestamp, Span)> {
    let updated = read_time(&meta.root, "lastUpdatedTime");
    let stamps = [meta.created, meta.deleting, updated].into_iter().flatten();
    let mut newest = stamps.map(|time| (time.value, time.span)).max();
    for part in ["status", "sourceStatus", "metadata"] {
        if let Some(part) = meta.root.get(part) {
            collect_newest(part, &mut newest);
        }
    }
    newest
}

// Field names that hold the moment at which something was observed, never a plan for the future.
const STAMPS: [&str; 11] = [
    "lastTransitionTime",
    "lastReceivedHeartbeat",
    "observationTime",
    "firstDriftedObservedTime",
    "firstDiffedObservedTime",
    "startTime",
    "endTime",
    "time",
    "startedAt",
    "finishedAt",
    "lastUpdateTime",
];

fn collect_newest(node: &crate::syntax::tree::Node, newest: &mut Option<(Timestamp, Span)>) {
    for entry in node.entries() {
        if STAMPS.contains(&&*entry.key) {
            let time = entry.node.as_str().and_then(read_timestamp);
            *newest = (*newest).max(time.map(|time| (time, entry.node.span)));
        }
        collect_newest(&entry.node, newest);
    }
    node.items().iter().for_each(|item| collect_newest(item, newest));
}
