//! The timeline: the events that carry the verdict on a scale that can be stretched, and as a table.

use maud::{Markup, html};

use super::scale::Scale;
use super::{WIDTH, fit};
use crate::engine::Report;
use crate::engine::ReportHistory;
use crate::report::paths::Paths;
use crate::report::prose::count;
use crate::report::snippet::{clean, masked};
use crate::report::ticket::moment;
use crate::source::Sources;

/// Where the scale begins: names of clusters stand to the left.
const LEFT: usize = 160;
/// The height of a lane.
const LANE: usize = 34;
/// More lanes are in the table alone.
const MOST: usize = 24;

/// Draws what happened, folded.
pub(in crate::report::html) fn history(report: &Report, sources: &Sources) -> Markup {
    let Some(told) = &report.history else { return html! {} };
    let paths = Paths::of(report, sources);
    html! {
        section aria-labelledby="history" {
            h2 id="history" { "Timeline" }
            details {
                summary { (told.events.len()) " of " (count(told.of, "event")) ", the ones that carry the verdict" }
                div {
                    (drawing(told))
                    div.scroll tabindex="0" role="region" aria-label="Events in order" {
                        table {
                            thead { tr { th { "UTC" } th { "cluster" } th { "what" } th { "where" } } }
                            tbody {
                                @for event in &told.events {
                                    @let file = sources.get(event.span.source);
                                    tr class=[event.cause.map(|_| "cause-row")] {
                                        td { (moment(event.time)) }
                                        td { (clean(&event.lane)) }
                                        td {
                                            (masked(&event.words))
                                            @if let Some(number) = event.cause { " " strong { "cause " (number) } }
                                        }
                                        td { code { (paths.show(file.path())) ":" (file.position(event.span.lo).line) } }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn drawing(told: &ReportHistory) -> Markup {
    let (Some(first), Some(last)) = (told.events.first(), told.events.last()) else {
        return html! {};
    };
    let right = WIDTH - 30;
    let scale = Scale::new(first.time, last.time, LEFT, right);
    let lanes: Vec<&String> = told.lanes.iter().take(MOST).collect();
    let bottom = 30 + lanes.len() * LANE;
    html! {
        div.drawing {
            (zoom())
            svg viewBox={"0 0 " (WIDTH) " " (bottom + 6)} aria-hidden="true" data-zoom={(LEFT) " " (right)} {
                @for (at, words) in scale.ticks() {
                    line.grid data-at=(scale.part(at)) x1=(scale.x(at)) y1="24" x2=(scale.x(at)) y2=(bottom) {}
                    text.muted data-at=(scale.part(at)) x=(scale.x(at)) y="16" text-anchor="middle" { (words) }
                }
                @for (index, lane) in lanes.iter().enumerate() {
                    @let y = 30 + index * LANE;
                    text x="0" y=(y + 22) { (fit(&clean(lane), LEFT - 10)) }
                    line.grid x1=(LEFT) y1=(y + 17) x2=(right) y2=(y + 17) {}
                    @for event in told.events.iter().filter(|event| event.lane == **lane) {
                        circle class=(if event.cause.is_some() { "event bad" } else { "event" })
                            data-at=(scale.part(event.time)) cx=(scale.x(event.time)) cy=(y + 17)
                            r=(if event.cause.is_some() { "8" } else { "6" }) {
                            title { (moment(event.time)) " " (masked(&event.words)) }
                        }
                    }
                }
            }
        }
    }
}

/// Draws the buttons that stretch a scale and move along it.
pub(super) fn zoom() -> Markup {
    html! {
        p.script.zoom {
            button type="button" data-zoom-by="2" { "zoom in" } " "
            button type="button" data-zoom-by="0.5" { "zoom out" } " "
            button type="button" data-move-by="-0.25" { "earlier" } " "
            button type="button" data-move-by="0.25" { "later" }
        }
    }
}
