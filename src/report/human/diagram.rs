//! The diagram of the first cause, in characters: lanes over time, the stages of a run, a gate, or a table of selectors.

use std::fmt::Write as _;

use super::Page;
use super::colors::{Tone, paint};
use crate::engine::{Board, ClusterProgress, Diagram, GateCard, Lane, Lanes, SelectorTable};
use crate::report::prose::{clipped, columns, padded, wrap};
use crate::report::snippet;

/// More clusters are counted.
const MAX_CLUSTERS: usize = 12;
/// The columns of the time that lanes cover, at most and at least.
const WIDEST_SCALE: usize = 28;
const NARROWEST_SCALE: usize = 8;
/// What a lane takes besides its names and its scale: blanks, two times and a mark.
const LANE_TIMES: usize = 27;
/// Longer names are cut.
const WIDEST: usize = 20;

/// Draws the picture of a report under the sentence of its first cause; says whether there is one.
pub(super) fn render(out: &mut String, page: &Page<'_>) -> bool {
    let before = out.len();
    match &page.report.diagram {
        Some(Diagram::Lanes(drawn)) => lanes(out, page, drawn),
        Some(Diagram::Board(drawn)) => board(out, page, drawn),
        Some(Diagram::Gate(drawn)) => gate(out, page, drawn),
        Some(Diagram::Selectors(drawn)) => selectors(out, page, drawn),
        // The first screen is the list of causes.
        Some(Diagram::Causes(_)) | None => {}
    }
    out.len() > before
}

/// Draws who held which cluster, over time.
fn lanes(out: &mut String, page: &Page<'_>, lanes: &Lanes) {
    let drawn: Vec<&Lane> = lanes.lanes.iter().filter(|lane| !lane.bars.is_empty()).collect();
    let names = drawn.iter().map(|lane| columns(&snippet::clean(&lane.cluster)));
    let names = names.max().unwrap_or(0).min(WIDEST);
    let whole = lanes.to.duration_since(lanes.from).as_millis().max(1);
    let runs = lanes.runs.iter().map(|run| columns(&snippet::clean(run))).max().unwrap_or(0);
    let scale = page.look.width.saturating_sub(names + runs + LANE_TIMES);
    let scale = scale.clamp(NARROWEST_SCALE, WIDEST_SCALE);
    let runs = page.look.width.saturating_sub(names + scale + LANE_TIMES).max(NARROWEST_SCALE);
    let column = |at: jiff::Timestamp| {
        let gone = at.duration_since(lanes.from).as_millis().clamp(0, whole);
        // Rounded to the nearest column.
        let steps = i128::try_from(scale).unwrap_or_default();
        usize::try_from((gone * steps * 2 + whole) / (whole * 2)).unwrap_or_default()
    };
    out.push('\n');
    for lane in drawn.iter().take(MAX_CLUSTERS) {
        let mut name = clipped(&snippet::clean(&lane.cluster), names);
        for bar in &lane.bars {
            let (from, to) = (column(bar.from), bar.to.map_or(scale, column));
            let (from, to) = (from.min(scale - 1), to.max(from + 1).min(scale));
            let line = format!("{}{}", " ".repeat(from), "━".repeat(to - from));
            let run = lanes.runs.get(bar.run).map(|run| snippet::clean(run)).unwrap_or_default();
            let run = clipped(&run, runs);
            let (end, tone) = match (bar.to, bar.lost) {
                (Some(at), true) => (format!("✗ {}", at.strftime("%H:%M:%S")), Tone::Error),
                (Some(at), false) => (format!("✓ {}", at.strftime("%H:%M:%S")), Tone::Good),
                (None, true) => ("✗".to_owned(), Tone::Error),
                (None, false) => ("▸ under way".to_owned(), Tone::Note),
            };
            let start = bar.from.strftime("%H:%M:%S");
            let head = format!("  {}  {start} ", padded(&name, names));
            let line = padded(&line, scale);
            let _ = writeln!(
                out,
                "{head}{} {} {run}",
                paint(page.look, tone, &line),
                paint(page.look, tone, &end)
            );
            name.clear();
        }
    }
    more(out, drawn.len());
}

fn more(out: &mut String, all: usize) {
    if let Some(more) = all.checked_sub(MAX_CLUSTERS).filter(|more| *more > 0) {
        let _ = writeln!(out, "  and {more} more clusters");
    }
}

/// Draws the stages of a run with their clusters, and the way from the run to each cause.
fn board(out: &mut String, page: &Page<'_>, board: &Board) {
    let names = board.stages.iter().map(|stage| columns(&snippet::clean(&stage.name)));
    let names = names.max().unwrap_or(0).min(WIDEST);
    let numbered = page.report.verdict.causes.len() > 1;
    out.push('\n');
    for stage in &board.stages {
        let cells = stage.clusters.iter().take(MAX_CLUSTERS).map(|cluster| {
            let sign = match (cluster.cause, cluster.progress) {
                (Some(_), _) | (_, ClusterProgress::Failed) => "✗",
                (None, ClusterProgress::Updated) => "✓",
                (None, ClusterProgress::Started) => "▸",
                (None, ClusterProgress::NotStarted) => "·",
            };
            let cause =
                cluster.cause.filter(|_| numbered).map(|at| format!("\u{1}(cause\u{1}{at})"));
            format!("{sign}\u{1}{}{}", snippet::clean(&cluster.name), cause.unwrap_or_default())
        });
        let mut cells: Vec<String> = cells.collect();
        if let Some(more) = stage.clusters.len().checked_sub(MAX_CLUSTERS).filter(|it| *it > 0) {
            cells.push(format!("and {more} more"));
        }
        if cells.is_empty() {
            cells.push("no cluster".to_owned());
        }
        let name = clipped(&snippet::clean(&stage.name), names);
        let lead = format!("  {}  ", padded(&name, names));
        let mut lines = String::new();
        wrap(&mut lines, &lead, &" ".repeat(columns(&lead)), &cells.join(" "), page.look.width);
        let lines = lines.replace('\u{1}', " ");
        let lines = lines.replace('✗', &paint(page.look, Tone::Error, "✗"));
        out.push_str(&lines.replace('✓', &paint(page.look, Tone::Good, "✓")));
    }
    let chain = board.chains.first().filter(|chain| chain.len() > 2);
    if let Some(chain) = chain {
        let text: Vec<String> =
            chain.iter().map(|step| snippet::masked(step).replace(' ', "\u{1}")).collect();
        let mut lines = String::new();
        wrap(&mut lines, "  ", "    ", &text.join(" → "), page.look.width);
        out.push('\n');
        out.push_str(&lines.replace('\u{1}', " "));
    }
}

/// Draws what kubectl shows of an approval beside what the controller wants.
fn gate(out: &mut String, page: &Page<'_>, gate: &GateCard) {
    let (Some(approved), Some(observed), Some(generation)) =
        (&gate.approved, gate.observed, gate.generation)
    else {
        return;
    };
    if observed == generation {
        return;
    }
    out.push('\n');
    let dim = |text: &str| paint(page.look, Tone::Dim, text);
    let left = padded("kubectl shows", 26);
    let _ = writeln!(out, "    {}{}", dim(&left), dim("the controller requires"));
    let left = padded(&format!("APPROVED   {}", snippet::clean(approved)), 26);
    let _ = writeln!(out, "    {left}observedGeneration   {generation}");
    let cross = paint(page.look, Tone::Error, "✗");
    let _ = writeln!(out, "    {}it finds             {observed}  {cross}", " ".repeat(26));
}

/// Draws which stage selects which cluster, and by what.
fn selectors(out: &mut String, page: &Page<'_>, table: &SelectorTable) {
    // Stages that divide the clusters as they should explain nothing.
    let shared = table.rows.iter().flat_map(|row| &row.clusters).any(|it| it.is_shared);
    let empty = table.rows.iter().any(|row| row.clusters.is_empty());
    if !shared && !empty && table.unplaced.is_empty() {
        return;
    }
    let stage = |name: &str| clipped(&snippet::clean(name), WIDEST);
    let selects = |text: &str| match text {
        "" => "(no selector)".to_owned(),
        text => clipped(&snippet::clean(text), page.look.width / 2 - 6),
    };
    let stages = table.rows.iter().map(|row| columns(&stage(&row.stage)));
    let stages = stages.max().unwrap_or(0).max("(no stage)".len());
    let wide = table.rows.iter().map(|row| columns(&selects(&row.selects)));
    let wide = wide.max().unwrap_or(0).max("selects".len());
    out.push('\n');
    let head = format!("  {}  {}  clusters", padded("stage", stages), padded("selects", wide));
    let _ = writeln!(out, "{}", paint(page.look, Tone::Dim, &head));
    let mut row = |name: &str, by: &str, clusters: &[String]| {
        let lead = format!("  {}  {}  ", padded(name, stages), padded(by, wide));
        let shown: Vec<String> = clusters.iter().take(MAX_CLUSTERS).cloned().collect();
        let rest = clusters.len().saturating_sub(shown.len());
        let rest = if rest > 0 { format!(" and {rest} more") } else { String::new() };
        let mut lines = String::new();
        let text = format!("{}{rest}", shown.join(" "));
        wrap(&mut lines, &lead, &" ".repeat(columns(&lead)), &text, page.look.width);
        let lines = lines.replace('\u{1}', " ");
        out.push_str(&lines.replace('✗', &paint(page.look, Tone::Error, "✗")));
    };
    for it in &table.rows {
        let clusters = it.clusters.iter().map(|cluster| {
            let cross = if cluster.is_shared { "\u{1}✗" } else { "" };
            format!("{}{cross}", snippet::clean(&cluster.name))
        });
        row(&stage(&it.stage), &selects(&it.selects), &clusters.collect::<Vec<_>>());
    }
    if !table.unplaced.is_empty() {
        let clusters = table.unplaced.iter().map(|name| format!("{}\u{1}✗", snippet::clean(name)));
        row("(no stage)", "", &clusters.collect::<Vec<_>>());
    }
}
