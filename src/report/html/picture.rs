//! The picture of the first cause, drawn as SVG or as a table; each has its words for those who do not see it.

use jiff::Timestamp;
use maud::{Markup, html};

use crate::engine::{Board, GateCard, Lanes, Picture, Progress, SelectorTable};
use crate::graph::Clock;
use crate::report::snippet::clean;

/// The width of all drawings, in their own units.
const WIDTH: usize = 960;
/// Where the bars begin: names stand to the left.
const LEFT: usize = 170;

/// Returns what the picture shows.
pub(super) fn title(picture: &Picture) -> String {
    match picture {
        Picture::Lanes(drawn) => format!("Who held which cluster of {}", clean(&drawn.placement)),
        Picture::Board(drawn) => format!("The stages of {}", clean(&drawn.run)),
        Picture::Gate(drawn) => {
            format!("The gate {} stage {}", drawn.side.word(), clean(&drawn.stage))
        }
        Picture::Selectors(drawn) => {
            format!("What the stages of {} select", clean(&drawn.strategy))
        }
    }
}

/// Draws the picture.
pub(super) fn draw(picture: &Picture, clock: &Clock) -> Markup {
    match picture {
        Picture::Lanes(drawn) => lanes(drawn),
        Picture::Board(drawn) => board(drawn, clock),
        Picture::Gate(drawn) => gate(drawn),
        Picture::Selectors(drawn) => selectors(drawn),
    }
}

fn lanes(lanes: &Lanes) -> Markup {
    const ROW: usize = 40;
    let shown = lanes.lanes.len().min(40);
    let height = 30 + shown * ROW + 46;
    let span = lanes.to.duration_since(lanes.from).as_secs().max(1);
    let x = |at: Timestamp| {
        let passed = at.duration_since(lanes.from).as_secs().clamp(0, span);
        let room = i64::try_from(WIDTH - LEFT - 20).unwrap_or(1);
        LEFT + usize::try_from(passed * room / span).unwrap_or_default()
    };
    let words = format!("Runs of {} over clusters and time", clean(&lanes.placement));
    html! {
        figure {
            p.script {
                button type="button" data-zoom-by="2" { "zoom in" } " "
                button type="button" data-zoom-by="0.5" { "zoom out" } " "
                button type="button" data-move-by="-0.25" { "earlier" } " "
                button type="button" data-move-by="0.25" { "later" }
            }
            svg viewBox={"0 0 " (WIDTH) " " (height)} role="img" aria-label=(words) data-zoom="x" {
                text.muted x=(LEFT) y="16" { (lanes.from.strftime("%TZ")) }
                text.muted x=(WIDTH - 20) y="16" text-anchor="end" { (lanes.to.strftime("%TZ")) }
                @for (index, lane) in lanes.lanes.iter().take(shown).enumerate() {
                    @let y = 30 + index * ROW;
                    line.grid x1=(LEFT) y1=(y + ROW) x2=(WIDTH - 20) y2=(y + ROW) {}
                    text x="0" y=(y + 25) { (shorten(&clean(&lane.cluster), 20)) }
                    @for bar in &lane.bars {
                        @let (from, to) = (x(bar.from), x(bar.to.unwrap_or(lanes.to)));
                        @let name = lanes.runs.get(bar.run).map(|run| clean(run)).unwrap_or_default();
                        rect class={"r" (bar.run % 4) @if bar.lost { " lost" }}
                            x=(from) y=(y + 8) width=((to - from).max(6)) height="26" rx="4" {
                            title {
                                (name) " " (bar.from.strftime("%TZ")) " to "
                                @if let Some(to) = bar.to { (to.strftime("%TZ")) } @else { "the capture" }
                                @if bar.lost { ", lost" }
                            }
                        }
                        @if to.saturating_sub(from) > 9 * name.chars().count() {
                            text.on x=(from + 8) y=(y + 26) { (name) }
                        }
                    }
                }
                @for (index, run) in lanes.runs.iter().take(4).enumerate() {
                    @let at = LEFT + index * 190;
                    rect class={"r" (index)} x=(at) y=(height - 22) width="14" height="14" rx="3" {}
                    text.muted x=(at + 20) y=(height - 10) { (shorten(&clean(run), 22)) }
                }
            }
            figcaption {
                "Each bar is a run at work on a cluster. A dashed border marks where the run lost the cluster."
            }
        }
    }
}

fn board(board: &Board, clock: &Clock) -> Markup {
    let words = format!("Stages of {} with their clusters", clean(&board.run));
    html! {
        figure aria-label=(words) {
            div.scroll {
                table {
                    thead { tr { th { "stage" } th { "cluster" } th { "state" } th { "since" } th { "cause" } } }
                    tbody {
                        @for stage in &board.stages {
                            @for (index, cluster) in stage.clusters.iter().take(60).enumerate() {
                                tr {
                                    td { @if index == 0 { strong { (clean(&stage.name)) } } }
                                    td { (clean(&cluster.name)) }
                                    td { (progress(cluster.progress)) }
                                    td { @if let Some(at) = cluster.since { (clock.show_moment(at)) } }
                                    td { @if let Some(number) = cluster.cause { (number) } }
                                }
                            }
                            @if stage.clusters.len() > 60 {
                                tr { td {} td { (stage.clusters.len() - 60) " more clusters" } td {} td {} td {} }
                            }
                        }
                    }
                }
            }
            @for chain in &board.chains {
                ol.chain {
                    @for (index, name) in chain.iter().enumerate() {
                        li class=(if index + 1 == chain.len() { "root" } else { "step" }) { (clean(name)) }
                    }
                }
            }
            figcaption { "The number in the last column is the cause that holds up the cluster." }
        }
    }
}

fn progress(progress: Progress) -> Markup {
    let (class, symbol) = match progress {
        Progress::Updated => ("state ok", '✓'),
        Progress::Failed | Progress::Started => ("state bad", '✗'),
        Progress::NotStarted => ("state", '·'),
    };
    html! { span class=(class) { (symbol) " " (progress.words()) } }
}

fn gate(gate: &GateCard) -> Markup {
    let side = gate.side.word();
    html! {
        figure aria-label={"The gate " (side) " stage " (clean(&gate.stage))} {
            div.scroll {
                table {
                    tbody {
                        tr { th { "gate" } td { (side) " stage " (clean(&gate.stage)) " of " (clean(&gate.run)) } }
                        tr { th { "request" } td { (clean(&gate.request)) @if !gate.is_known { " (not in this bundle)" } } }
                        @if gate.is_known {
                            tr { th { "kubectl shows" } td { "APPROVED " (gate.approved.as_deref().unwrap_or("(none)")) } }
                        }
                        @if let (Some(wanted), Some(found)) = (gate.generation, gate.observed) {
                            tr { th { "the controller requires" } td { "observedGeneration " (wanted) } }
                            tr {
                                th { "it finds" }
                                td { span class=(if wanted == found { "state ok" } else { "state bad" }) { (found) } }
                            }
                        }
                        tr {
                            th { "stages" }
                            td {
                                @for (index, (name, clusters, done)) in gate.stages.iter().enumerate() {
                                    @if index > 0 { " → " }
                                    span class=(if *done { "state ok" } else { "state" }) { (clean(name)) }
                                    " (" (clean(&listed(clusters))) ")"
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn selectors(table: &SelectorTable) -> Markup {
    html! {
        figure aria-label={"What the stages of " (clean(&table.strategy)) " select"} {
            div.scroll {
                table {
                    thead { tr { th { "stage" } th { "selects" } th { "clusters" } } }
                    tbody {
                        @for row in &table.rows {
                            tr {
                                td { strong { (clean(&row.stage)) } }
                                td { code { (clean(&row.selects)) } }
                                td {
                                    @for cluster in row.clusters.iter().take(60) {
                                        span class=(if cluster.is_shared { "state bad" } else { "cluster" }) {
                                            (clean(&cluster.name)) @if cluster.is_shared { " ✗" }
                                        } " "
                                    }
                                }
                            }
                        }
                        @if !table.unplaced.is_empty() {
                            tr { td { "(no stage)" } td {} td { span.state.bad { (clean(&listed(&table.unplaced))) } } }
                        }
                    }
                }
            }
            figcaption { "✗ marks a cluster that two stages select." }
        }
    }
}

fn listed(names: &[String]) -> String {
    match names.len() {
        0 => "no cluster".to_owned(),
        count if count > 6 => format!("{} clusters", count),
        _ => names.join(", "),
    }
}

fn shorten(text: &str, room: usize) -> String {
    if text.chars().count() <= room {
        return text.to_owned();
    }
    text.chars().take(room - 1).chain(['…']).collect()
}
