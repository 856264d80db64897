//! [`ReportHistory`]: the events that led to the verdict, kept with a report for the formats that show them.

use jiff::Timestamp;

use super::{Report, key_moments, sanitized};
use crate::config::Focus;
use crate::graph::Graph;
use crate::source::{Sources, Span};
use crate::views::timeline::{Period, timeline};

/// What happened, in order.
#[derive(Clone, Debug)]
pub struct ReportHistory {
    /// The moments that carry the verdict.
    pub events: Vec<HistoryEvent>,
    /// The lanes in which they happened, the hub first.
    pub lanes: Vec<String>,
    /// Of how many moments they were picked.
    pub of: usize,
}

/// One moment.
#[derive(Clone, Debug)]
pub struct HistoryEvent {
    /// When it happened.
    pub time: Timestamp,
    /// Where: `hub`, or the name of a cluster.
    pub lane: String,
    /// The event as a sentence.
    pub words: String,
    /// The number of the cause that shows here.
    pub cause: Option<usize>,
    /// Where it stands in the bundle.
    pub span: Span,
}

/// Tells what led to the verdict of a report; nothing where fewer than two moments are known.
pub fn report_history(
    graph: &Graph,
    sources: &Sources,
    report: &Report,
    focus: &Focus,
) -> Option<ReportHistory> {
    let found = sanitized(timeline(graph, focus, &Period::default()), sources);
    let picked = key_moments(&found, graph, report);
    let events: Vec<HistoryEvent> = picked
        .scenes
        .iter()
        .map(|scene| HistoryEvent {
            time: scene.moment.time,
            lane: scene.lane.clone(),
            words: scene.words.clone(),
            cause: scene.cause.map(|(number, _)| number),
            span: scene.moment.span,
        })
        .collect();
    let told = events.len() > 1;
    told.then(|| ReportHistory { events, lanes: picked.lanes.clone(), of: found.moments.len() })
}
