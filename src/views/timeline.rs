//! One ordered table over everything in a bundle that has a time.
//!
//! Owns [`Moment`] and the way to a list of them: stamps of objects (every sighting, so that an older
//! capture tells what a newer one forgot), Kubernetes events, and log lines whose instant is known.
//! Order: by time. Stamps are cut to whole seconds: what is asked for stands at the start of its second, what a controller
//! answers at the end, after the lines that it logs about it. Equal times follow the way of the work (`order`). The lines of a log without a year keep to themselves: they are in order among each
//! other, but nothing tells where they stand among the rest.

mod narrow;
mod order;
mod stamps;

use std::collections::HashSet;

use foldhash::fast::FixedState;
use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp};

use crate::grammar::message::{HoleRole, line};
use crate::graph::Graph;
use crate::model::event::Event;
use crate::model::key::ObjectKey;
use crate::model::log::LogEvent;
use crate::source::{SourceId, Span};
use crate::views::Focus;

use narrow::Narrowing;
use smol_str::SmolStr;

/// Where a moment is known from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MomentSource {
    /// `metadata.creationTimestamp`.
    Creation,
    /// The transition time of a condition.
    Condition,
    /// Another stamp in an object's status.
    Stamp,
    /// A Kubernetes event.
    Event,
    /// A log line.
    Log,
    /// `metadata.deletionTimestamp`.
    Deletion,
}

impl MomentSource {
    /// Returns the word used in tables.
    pub fn word(self) -> &'static str {
        match self {
            Self::Creation => "creation",
            Self::Condition => "condition",
            Self::Stamp => "stamp",
            Self::Event => "event",
            Self::Log => "log",
            Self::Deletion => "deletion",
        }
    }
}

/// Something that happened at a known time.
#[derive(Clone, Debug)]
pub struct Moment {
    /// When it happened.
    pub time: Timestamp,
    /// Where it is known from.
    pub origin: MomentSource,
    /// The object it speaks of, if that is known.
    pub object: Option<ObjectKey>,
    /// The cluster it speaks of, where that is not the object's own.
    pub cluster: Option<SmolStr>,
    /// What happened; text of the bundle, not cleaned.
    pub what: String,
    /// Where it stands.
    pub span: Span,
    /// The time by which it is sorted.
    at: Timestamp,
    step: u8,
}

impl Moment {
    /// Returns how exact the time is: stamps of objects are cut to whole seconds.
    pub fn precision(&self) -> &'static str {
        if self.time.subsec_nanosecond() == 0 { "second" } else { "microsecond" }
    }
}

/// Which part of a bundle's history is asked for.
#[derive(Clone, Debug, Default)]
pub struct Period {
    /// Nothing before this.
    pub since: Option<Timestamp>,
    /// Nothing after this.
    pub until: Option<Timestamp>,
}

impl Period {
    /// Says whether all of the history is asked for.
    pub fn is_whole(&self) -> bool {
        self.since.is_none() && self.until.is_none()
    }
}

/// The table.
#[derive(Clone, Debug, Default)]
pub struct Timeline {
    /// What happened, in order.
    pub moments: Vec<Moment>,
    /// The logs that give no year, each with its lines; the year of their times means nothing.
    pub undated: Vec<(SourceId, Vec<Moment>)>,
    /// How many lines were left out: those without a time, and with a period those without a year.
    pub left_out: usize,
}

/// Puts everything that concerns the focus in order.
pub fn timeline(graph: &Graph, focus: &Focus, period: &Period) -> Timeline {
    let narrowing = Narrowing::new(graph, focus);
    let mut moments = Vec::new();
    for (key, sightings) in graph.sightings.iter() {
        // An event is told as one, by the object that it is about.
        if narrowing.leaves_out(key) || &*key.kind == "Event" {
            continue;
        }
        for sighting in sightings {
            stamps::collect(&sighting.meta, &mut moments);
        }
    }
    moments.extend(graph.events.iter().filter_map(of_event));
    moments.retain(|moment| narrowing.keeps(moment));
    let lines = graph.log_events.iter().filter(|event| concerns_fleet(event));
    let lines: Vec<&LogEvent> =
        lines.filter(|event| narrowing.keeps_line(event, &graph.logs)).collect();
    let (dated, others): (Vec<_>, Vec<_>) = lines.into_iter().partition(|e| e.time.is_some());
    let (civil, timeless): (Vec<_>, Vec<_>) = others.into_iter().partition(|e| e.civil.is_some());
    moments.extend(in_order(
        dated.into_iter().filter_map(|event| Some(of_line(event, event.time?))).collect(),
    ));
    moments.retain(|moment| period.since.is_none_or(|since| moment.time >= since));
    moments.retain(|moment| period.until.is_none_or(|until| moment.time <= until));
    moments.sort_by(|left, right| place(left).cmp(&place(right)));
    drop_repeats(&mut moments);
    let (undated, left_out) = match period.is_whole() {
        true => (by_log(&civil), timeless.len()),
        false => (Vec::new(), timeless.len() + civil.len()),
    };
    Timeline { moments, undated, left_out }
}

/// Gives the lines of each log that has no year, in the order in which they were written.
fn by_log(lines: &[&LogEvent]) -> Vec<(SourceId, Vec<Moment>)> {
    let told = lines.chunk_by(|left, right| left.log == right.log).filter_map(|lines| {
        let source = lines.first()?.span.source;
        let lines = lines.iter().filter_map(|event| Some(of_line(event, in_some_year(event)?)));
        Some((source, lines.collect()))
    });
    told.collect()
}

fn in_some_year(event: &LogEvent) -> Option<Timestamp> {
    let (civil, turn) = event.civil?;
    Offset::UTC.to_timestamp(civil.in_some_year(turn)?).ok()
}

type Place<'m> = (Timestamp, MomentSource, u8, Option<&'m ObjectKey>, Span);

/// Returns the place of a moment in the table.
///
/// The lines of a log keep the order in which they were written.
fn place(moment: &Moment) -> Place<'_> {
    let object = moment.object.as_ref().filter(|_| moment.origin != MomentSource::Log);
    let origin = match moment.origin {
        MomentSource::Stamp => MomentSource::Condition,
        other => other,
    };
    (moment.at, origin, moment.step, object, moment.span)
}

/// Returns the last moment that a time of whole seconds may stand for.
fn end_of_second(time: Timestamp) -> Timestamp {
    const REST: SignedDuration = SignedDuration::from_nanos(999_999_999);
    let is_whole = time.subsec_nanosecond() == 0;
    time.checked_add(REST).ok().filter(|_| is_whole).unwrap_or(time)
}

/// Lets a line of whole seconds stand right after the line before it in the same log and second.
fn in_order(mut lines: Vec<Moment>) -> Vec<Moment> {
    let mut before: Option<(SourceId, Timestamp)> = None;
    for line in &mut lines {
        let last = before.filter(|(source, _)| *source == line.span.source).map(|(_, at)| at);
        let same = last.filter(|at| at.as_second() == line.time.as_second() && *at > line.time);
        if let Some(at) = same.filter(|_| line.time.subsec_nanosecond() == 0) {
            line.at = at;
        }
        before = Some((line.span.source, line.at));
    }
    lines
}

/// Drops what a second sighting of an object tells again.
fn drop_repeats(moments: &mut Vec<Moment>) {
    let mut seen = HashSet::with_capacity_and_hasher(moments.len(), FixedState::default());
    let mut told = Vec::with_capacity(moments.len());
    for Moment { origin, time, object, what, .. } in &*moments {
        let again = *origin != MomentSource::Log && !seen.insert((*time, object, what));
        told.push(!again);
    }
    let mut told = told.into_iter();
    moments.retain(|_| told.next().unwrap_or(true));
}

fn of_event(event: &Event) -> Option<Moment> {
    let last = event.last?;
    let count = event.count.filter(|count| count.value > 1);
    let count = count.map(|count| format!(" (seen {} times)", count.value)).unwrap_or_default();
    let warning = if event.is_warning() { "Warning " } else { "" };
    Some(Moment {
        time: last.value,
        at: end_of_second(last.value),
        origin: MomentSource::Event,
        object: Some(event.about.clone()),
        cluster: None,
        what: format!("{warning}{}: {}{count}", event.reason(), event.message()),
        span: event.best_span(),
        step: 0,
    })
}

fn of_line(event: &LogEvent, time: Timestamp) -> Moment {
    let error = event.error.as_ref().filter(|(error, _)| &**error != "null");
    let error = error.map(|(error, _)| format!(": {error}")).unwrap_or_default();
    let cluster = event.find(HoleRole::Cluster);
    let place = [("stage", HoleRole::Stage), ("cluster", HoleRole::Cluster)];
    let place =
        place.iter().filter_map(|(word, role)| Some(format!("{word} {}", event.named(*role)?)));
    let subject = event.subject();
    // An object of a member has no kind in a log; its name is part of what happened.
    let other = event.find(HoleRole::Object).filter(|_| subject.is_none());
    let other = other.map(|object| match &*object.namespace {
        "" => object.name.to_string(),
        namespace => format!("{namespace}/{}", object.name),
    });
    let place: Vec<String> = place.chain(other).collect();
    let place = if place.is_empty() { String::new() } else { format!(" ({})", place.join(", ")) };
    Moment {
        time,
        at: time,
        origin: MomentSource::Log,
        object: subject,
        cluster: cluster.map(|cluster| cluster.name.clone()),
        what: format!("{}{place}{error}", event.message),
        span: event.span,
        step: 0,
    }
}

/// Says whether a line is about the fleet: the flags and the set-up of an agent are not, unless they fail.
fn concerns_fleet(event: &LogEvent) -> bool {
    let own = [line::HUBAGENT_FLAG, line::MEMBERAGENT_FLAG, line::SETUP];
    event.error.is_some() || !own.iter().any(|lines| event.is(*lines))
}
