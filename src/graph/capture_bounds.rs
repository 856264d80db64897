//! Which timestamps of a bundle bound the moment of capture, from below or from above.

use jiff::{SignedDuration, Timestamp};

use super::Graph;
use super::clock::{Clock, ClockSource};
use super::later_stamp::WrittenMoment;
use crate::behaviour::timing::STUCK_AFTER;
use crate::grammar::kind::{Kind, find_kind};
use crate::kube::time::read_age_range;
use crate::model::cluster::{InternalMember, MemberCluster};
use crate::model::lease::Lease;
use crate::model::log::Log;
use crate::model::read::read_text;
use crate::model::run::Run;
use crate::source::Sources;
use crate::syntax::Syntax;

/// A member agent reports every minute at most, unless set otherwise, and the hub copies that.
const HEARTBEAT: SignedDuration = SignedDuration::from_mins(2);
/// A leader renews its lease every few seconds.
const LEASE: SignedDuration = SignedDuration::from_mins(1);
/// An agent that logs all the time has not been quiet for longer.
const LOG_LINE: SignedDuration = SignedDuration::from_mins(2);
/// Fewer records than these are an excerpt: its end says nothing about the capture.
const BUSY_LOG: u64 = 200;

/// Offers every stamp of the objects to the clock.
pub(super) fn offer_stamps(graph: &Graph, clock: &mut Clock) {
    let mut known = clock.now.map(WrittenMoment::new);
    for sighting in graph.sightings.values().flatten() {
        if let Some((stamp, span)) = sighting.newest_after(known.as_ref()) {
            clock.offer(stamp, ClockSource::NewestStamp(span));
            known = Some(WrittenMoment::new(stamp));
        }
    }
    for (span, from, _) in moments_by_age(graph) {
        clock.offer(from, ClockSource::AgeColumn(span));
    }
}

/// Offers the lines of logs to the clock, the last one included.
pub(super) fn offer_lines(graph: &Graph, clock: &mut Clock) {
    for event in &graph.log_events {
        if let Some(time) = event.time {
            clock.offer(time, ClockSource::NewestLogLine(event.span));
        }
    }
    for log in &graph.logs {
        if let Some((_, last)) = log.covers {
            clock.offer(last, ClockSource::LogEnd(log.source));
        }
    }
}

/// Bounds the clock from above, and takes the moment that the user gave.
pub(super) fn close(graph: &Graph, sources: &Sources, clock: &mut Clock, given: Option<Timestamp>) {
    let alive = last_sign_of_life(graph);
    let now = clock.now;
    let by_age = moments_by_age(graph).into_iter().map(|(.., until)| until);
    let by_age = by_age.filter(|until| now.is_some_and(|now| *until >= now)).min();
    let packed = sources.iter().filter_map(|source| source.origin().modified);
    let packed = packed.max().and_then(|seconds| Timestamp::from_second(seconds).ok());
    let bounds = [alive, by_age, packed].into_iter().flatten();
    clock.close(bounds.filter(|until| now.is_some_and(|now| *until >= now)).min());
    if let Some(given) = given {
        clock.give(given, alive);
    }
}

/// Returns the moment by which another sign of life would have followed the last one.
fn last_sign_of_life(graph: &Graph) -> Option<Timestamp> {
    let beats = graph.members.iter().filter_map(MemberCluster::heartbeat);
    let own = graph.internal_members.iter().filter_map(InternalMember::heartbeat);
    let beats = beats.chain(own).map(|beat| (beat.value, HEARTBEAT));
    let is_lease = |kind: &str| find_kind(kind).is_some_and(|spec| spec.family == Kind::Lease);
    let leases = graph.others.iter().filter(|meta| is_lease(&meta.key.kind));
    let leases = leases.filter_map(|meta| Some((Lease::read(meta)?.renewed.value, LEASE)));
    let is_busy = |log: &&Log| log.counts.records >= BUSY_LOG && !log.tail_cut;
    let ends = graph.logs.iter().filter(is_busy).filter_map(|log| log.covers);
    let ends = ends.map(|(_, last)| (last, LOG_LINE));
    let started = graph.runs.iter().filter_map(started_last);
    // A run that does not call its cluster stuck yet was captured before it could.
    let started = started.map(|started| (started, STUCK_AFTER));
    let signs = beats.chain(leases).chain(ends).chain(started);
    signs.filter_map(|(last, within)| last.checked_add(within).ok()).max()
}

/// Returns when a run that is under way, and not stuck, started its last cluster.
fn started_last(run: &Run) -> Option<Timestamp> {
    let under_way = !run.is_terminal() && run.progress_reason() == "UpdateRunProgressing";
    let clusters = run.stages.iter().flat_map(|stage| &stage.clusters);
    let flying = clusters.filter(|cluster| under_way && cluster.is_in_flight());
    let since = flying.filter_map(|cluster| cluster.started()?.since);
    since.map(|since| since.value).max()
}

/// Returns the moments at which tables were printed, by the age of an object whose creation is known:
/// where, not before, and not after.
fn moments_by_age(graph: &Graph) -> Vec<(crate::source::Span, Timestamp, Timestamp)> {
    let mut moments = Vec::new();
    for sightings in graph.sightings.values() {
        let Some(created) = sightings.iter().find_map(|sighting| sighting.meta.created) else {
            continue;
        };
        let rows = sightings.iter().filter(|sighting| sighting.meta.syntax == Syntax::Table);
        for age in rows.filter_map(|row| read_text(&row.meta.root, "x-age")) {
            let Some((least, most)) = read_age_range(&age) else { continue };
            let (from, until) = (created.value.checked_add(least), created.value.checked_add(most));
            if let (Ok(from), Ok(until)) = (from, until) {
                moments.push((age.span, from, until));
            }
        }
    }
    moments
}
