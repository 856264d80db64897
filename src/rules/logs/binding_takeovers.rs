//! What the log of hub-agent tells about bindings that changed hands.

use jiff::SignedDuration;
use smol_str::SmolStr;

use crate::grammar::message::{HoleRole, LogLines, MessageContext, line, recognise};
use crate::model::log::{LogEvent, LogRef};
use crate::model::meta::Meta;
use crate::rule::Cx;
use crate::source::Span;

/// A line in which a run notes that a binding was changed under it.
pub struct LoggedTakeover<'g> {
    /// The log line.
    pub event: &'g LogEvent,
    /// The run that lost the cluster.
    pub run: &'g LogRef,
    /// The binding.
    pub binding: &'g LogRef,
    /// The cluster, by the words of the error.
    pub cluster: Option<SmolStr>,
    /// The last line before it by which another run wrote the binding.
    pub taken: Option<LoggedWrite<'g>>,
}

/// A line by which a run wrote a binding.
pub struct LoggedWrite<'g> {
    /// The log line.
    pub event: &'g LogEvent,
    /// The run.
    pub run: SmolStr,
    /// Where the line names it.
    pub span: Span,
}

/// Returns the takeovers that the logs show, one per run and binding.
///
/// "binding is not up-to-date" is not one of them: it is written before every start of a cluster.
pub fn logged_takeovers<'g>(cx: &Cx<'g>) -> Vec<LoggedTakeover<'g>> {
    let events = cx.log_events();
    let mut takeovers: Vec<LoggedTakeover<'g>> = Vec::new();
    for (index, event) in events.iter().enumerate().filter(|(_, event)| event.is(line::PREEMPTED)) {
        let (Some(run), Some(binding)) = (event.find(HoleRole::Run), event.find(HoleRole::Binding))
        else {
            continue;
        };
        if takeovers.iter().any(|known| is_same(known.run, run) && is_same(known.binding, binding))
        {
            continue;
        }
        let earlier = events.get(..index).unwrap_or_default();
        let own = earlier.iter().rev().filter(|earlier| earlier.log == event.log);
        let own: Vec<&LogEvent> = own.filter(|earlier| is_about(earlier, binding)).collect();
        let foreign = |taking: &LoggedWrite<'_>| taking.run != run.name;
        let taken = last_taking(cx, &own, foreign);
        // A log that was rotated in between is gone on with in another file.
        let taken = taken.or_else(|| last_taking(cx, &before(events, event, binding), foreign));
        takeovers.push(LoggedTakeover { event, run, binding, cluster: lost_cluster(event), taken });
    }
    takeovers
}

/// Returns the last line of some, the last one first, by which a run wrote a binding.
///
/// Where the line of the write itself is cut off, the one about the condition that follows it tells as much.
fn last_taking<'g>(
    cx: &Cx<'g>,
    lines: &[&'g LogEvent],
    foreign: impl Fn(&LoggedWrite<'_>) -> bool + Copy,
) -> Option<LoggedWrite<'g>> {
    let written = lines.iter().filter_map(|event| bound_by(event)).find(foreign);
    written.or_else(|| lines.iter().filter_map(|event| condition_of(cx, event)).find(foreign))
}

/// Returns the lines of other logs about a binding that were written before a line, the last one first.
fn before<'g>(events: &'g [LogEvent], event: &LogEvent, binding: &LogRef) -> Vec<&'g LogEvent> {
    let Some(time) = event.time else { return Vec::new() };
    let others = events.iter().filter(|other| other.log != event.log);
    let earlier = others.filter(|other| other.time.is_some_and(|at| at < time));
    let mut lines: Vec<&LogEvent> = earlier.filter(|other| is_about(other, binding)).collect();
    lines.sort_by_key(|line| std::cmp::Reverse(line.time));
    lines
}

fn is_about(event: &LogEvent, binding: &LogRef) -> bool {
    event.find(HoleRole::Binding).is_some_and(|other| is_same(other, binding))
}

/// The lines after which a run is not worked on any more.
pub const RUN_ENDS: [LogLines; 7] = [
    line::PREEMPTED,
    line::RUN_COMPLETED,
    line::RUN_FINISHED,
    line::RUN_DELETING,
    line::ABORT_STAGE,
    line::VALIDATE_FAILED,
    line::STOPPED,
];

/// Says whether a line shows that a run came to an end.
pub fn ends_run(event: &LogEvent, run: &LogRef) -> bool {
    event.find(HoleRole::Run).is_some_and(|named| is_same(named, run))
        && RUN_ENDS.iter().any(|lines| event.is(*lines))
}

/// Says whether two references name the same object of a kind.
pub fn is_same(left: &LogRef, right: &LogRef) -> bool {
    left.name == right.name && left.namespace == right.namespace
}

/// Says whether a log goes on for so long after a line of it.
pub fn goes_on_for(cx: &Cx<'_>, event: &LogEvent, long: SignedDuration) -> bool {
    let covers = cx.logs().get(event.log).and_then(|log| log.covers);
    if let Some(((_, last), at)) = covers.zip(event.time) {
        return last.duration_since(at) >= long;
    }
    // In one log times without a year can be compared.
    let at = event.civil.and_then(|(civil, turn)| civil.in_some_year(turn));
    at.zip(cx.last_civil(event.log)).is_some_and(|(at, last)| last.duration_since(at) >= long)
}

/// Returns the cluster that a line of a loss speaks of, by the words of its error.
pub fn lost_cluster(event: &LogEvent) -> Option<SmolStr> {
    let (error, _) = event.error.as_ref()?;
    let recognised = recognise(error, &MessageContext::default());
    let found = recognised.refs(HoleRole::Cluster).next()?;
    error.get(found.range.clone()).map(SmolStr::from)
}

/// Reads "Updated the status of a binding to bound".
fn bound_by(event: &LogEvent) -> Option<LoggedWrite<'_>> {
    let run = event.find(HoleRole::Run).filter(|_| event.is(line::BOUND))?;
    Some(LoggedWrite { event, run: run.name.clone(), span: run.span })
}

/// Reads "Updated binding as rolloutStarted": the message of its condition names the run.
fn condition_of<'g>(cx: &Cx<'g>, event: &'g LogEvent) -> Option<LoggedWrite<'g>> {
    let condition = event.find(HoleRole::Condition).filter(|_| event.is(line::BINDING_ROLLOUT))?;
    let value: serde_json::Value = serde_json::from_str(&condition.name).ok()?;
    let message = value.get("message")?.as_str()?;
    let hint =
        MessageContext { condition_type: Some("RolloutStarted"), ..MessageContext::default() };
    let recognised = recognise(message, &hint);
    let run = message.get(recognised.refs(HoleRole::Run).next()?.range.clone())?;
    let text = cx.text_of(condition.span);
    let span = text.rfind(run).map(|at| condition.span.within(at..at + run.len()));
    Some(LoggedWrite { event, run: run.into(), span: span.unwrap_or(condition.span) })
}

/// Finds the last line in which hub-agent marks a run as stuck on a cluster: the place of the cluster in it.
pub fn find_stuck_line(cx: &Cx<'_>, run: &Meta, cluster: &str) -> Option<Span> {
    let lines = cx.log_events().iter().rev().filter(|event| event.is(line::STUCK));
    let mut own = lines
        .filter_map(|event| Some((event.find(HoleRole::Run)?, event.find(HoleRole::Cluster)?)));
    let found = own.find(|(named, on)| {
        *named.name == *run.name() && *named.namespace == *run.namespace() && &*on.name == cluster
    });
    found.map(|(_, on)| on.span)
}
