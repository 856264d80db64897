//! The stage board: how far each cluster of a run is, and the way from the run down to each cause.

use maud::{Markup, html};

use super::{Drawing, WIDTH, fit, fit_small, width};
use crate::engine::{Board, BoardCluster, BoardStage, ClusterProgress};
use crate::graph::Clock;
use crate::report::snippet::clean;

/// How many cards stand side by side.
const COLUMNS: usize = 4;
/// The height of a card with the gap below it.
const CARD: usize = 62;
/// More clusters of a stage are counted.
const MOST: usize = 24;
/// The height of a box of a chain with the gap below it.
const BOX: usize = 70;

/// Draws the stages of a run.
pub(super) fn draw(board: &Board, clock: &Clock) -> Drawing {
    let mut y = 0;
    let mut parts: Vec<Markup> = Vec::new();
    for (index, stage) in board.stages.iter().enumerate() {
        let rows = stage.clusters.len().min(MOST).div_ceil(COLUMNS).max(1);
        let height = 44 + rows * CARD + if stage.clusters.len() > MOST { 22 } else { 0 };
        parts.push(draw_stage(index + 1, stage, y, height, clock));
        y += height + 12;
    }
    for (index, chain) in board.chains.iter().enumerate() {
        let (drawn, height) = draw_chain(index, board.chains.len(), chain, y + 10);
        parts.push(drawn);
        y += height + 10;
    }
    let svg = html! {
        svg viewBox={"0 0 " (WIDTH) " " (y)} aria-hidden="true" { @for part in &parts { (part) } }
    };
    Drawing { svg, words: words(board, clock), caption: "" }
}

fn draw_stage(number: usize, stage: &BoardStage, y: usize, height: usize, clock: &Clock) -> Markup {
    let card = (WIDTH - 24) / COLUMNS;
    let (class, word) = state(stage);
    html! {
        rect.frame x="1" y=(y + 1) width=(WIDTH - 2) height=(height - 2) rx="10" {}
        text.strong x="16" y=(y + 27) { (number) " · " (fit(&clean(&stage.name), 500)) }
        text class=(class) x=(WIDTH - 16) y=(y + 27) text-anchor="end" { (word) }
        @for (index, cluster) in stage.clusters.iter().take(MOST).enumerate() {
            @let (x, top) = (14 + index % COLUMNS * card, y + 40 + index / COLUMNS * CARD);
            @let (edge, words) = state_words(cluster, clock);
            rect.card x=(x) y=(top) width=(card - 10) height=(CARD - 10) rx="6" {}
            rect class=(edge) x=(x) y=(top) width="5" height=(CARD - 10) rx="2" {}
            text.strong x=(x + 16) y=(top + 21) { (fit(&clean(&cluster.name), card - 36)) }
            text.muted x=(x + 16) y=(top + 41) { (fit_small(&words, card - 28)) }
        }
        @if stage.clusters.len() > MOST {
            text.muted x="16" y=(y + height - 10) { (stage.clusters.len() - MOST) " more clusters" }
        }
    }
}

fn state(stage: &BoardStage) -> (&'static str, &'static str) {
    let any = |progress| stage.clusters.iter().any(|it: &BoardCluster| it.progress == progress);
    let held = stage.clusters.iter().any(|it| it.cause.is_some());
    if stage.ended.is_some() && !any(ClusterProgress::Failed) && !held {
        ("ok", "✓ DONE")
    } else if any(ClusterProgress::Failed) {
        ("bad", "✗ FAILED")
    } else if held {
        ("bad", "✗ HELD UP")
    } else if any(ClusterProgress::Started) {
        ("go", "▸ IN PROGRESS")
    } else if stage.started.is_some() {
        ("muted", "started")
    } else {
        ("muted", "not started")
    }
}

fn state_words(cluster: &BoardCluster, clock: &Clock) -> (&'static str, String) {
    let since = cluster.since.map(|at| format!(" {}", clock.show_moment(at)));
    let since = since.unwrap_or_default();
    match (cluster.progress, cluster.cause) {
        (ClusterProgress::Updated, _) => ("edge-ok", format!("✓ updated{since}")),
        (ClusterProgress::Failed, Some(number)) => {
            ("edge-bad", format!("✗ cause {number}, failed{since}"))
        }
        (ClusterProgress::Failed, None) => ("edge-bad", format!("✗ failed{since}")),
        (ClusterProgress::Started, Some(number)) => {
            ("edge-bad", format!("✗ cause {number}, started{since}"))
        }
        (ClusterProgress::Started, None) => ("edge-go", format!("▸ started{since}")),
        (ClusterProgress::NotStarted, _) => ("edge-idle", "not started".to_owned()),
    }
}

/// Draws a chain as boxes from left to right, on as many lines as it takes; returns its height, too.
fn draw_chain(index: usize, all: usize, chain: &[String], y: usize) -> (Markup, usize) {
    let mut placed: Vec<(usize, usize, usize, String, String, bool)> = Vec::new();
    let (mut x, mut row) = (0, 0);
    for (at, link) in chain.iter().enumerate() {
        let link = clean(link);
        let (kind, name) = link.split_once(' ').unwrap_or(("", &link));
        let name = fit(name, 400);
        let wide = width(&name).max(width(kind)) + 26;
        if x > 0 && x + wide > WIDTH {
            (x, row) = (30, row + 1);
        }
        placed.push((x, row, wide, kind.to_owned(), name, at + 1 == chain.len()));
        x += wide + 34;
    }
    let title = if all > 1 {
        format!("From the run to cause {}", index + 1)
    } else {
        "From the run down to the cause".to_owned()
    };
    let drawn = html! {
        text.strong x="0" y=(y + 16) { (title) }
        @for (at, (x, row, wide, kind, name, root)) in placed.iter().enumerate() {
            @let top = y + 28 + row * BOX;
            @if at > 0 { text.muted x=(x.saturating_sub(24)) y=(top + 32) { "→" } }
            rect class=(if *root { "root" } else { "card" }) x=(*x + 1) y=(top) width=(*wide) height="52" rx="7" {}
            text.muted x=(x + 13) y=(top + 20) { (kind) }
            text.strong x=(x + 13) y=(top + 40) { (name) }
        }
    };
    (drawn, 28 + (row + 1) * BOX)
}

fn words(board: &Board, clock: &Clock) -> Vec<String> {
    let mut words = Vec::new();
    for stage in &board.stages {
        for cluster in stage.clusters.iter().take(MOST) {
            let state = state_words(cluster, clock).1;
            words.push(format!("Stage {}, {}: {state}", clean(&stage.name), clean(&cluster.name)));
        }
        let hidden = stage.clusters.len().saturating_sub(MOST);
        words.extend((hidden > 0).then(|| format!("{hidden} more clusters")));
    }
    let chains = board.chains.iter();
    words.extend(
        chains.map(|chain| clean(&format!("From the run to the cause: {}", chain.join(" → ")))),
    );
    words
}
