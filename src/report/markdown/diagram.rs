//! The diagram of the first cause, as tables.

use std::fmt::Write as _;

use super::{cell, prose};
use crate::engine::{Board, ClusterProgress, Diagram, GateCard, Lanes, SelectorTable};
use crate::report::snippet::clean;

/// Writes the picture.
pub(super) fn write(out: &mut String, diagram: &Diagram, rows: usize) {
    match diagram {
        Diagram::Lanes(drawn) => lanes(out, drawn, rows),
        Diagram::Board(drawn) => board(out, drawn, rows),
        Diagram::Gate(drawn) => gate(out, drawn),
        Diagram::Selectors(drawn) => selectors(out, drawn),
        // The table at the top tells the same.
        Diagram::Causes(_) => {}
    }
}

fn lanes(out: &mut String, lanes: &Lanes, rows: usize) {
    let _ = writeln!(out, "**Who held which cluster**\n");
    for lane in lanes.lanes.iter().take(rows) {
        let held: Vec<String> = lane
            .bars
            .iter()
            .map(|bar| {
                let run = lanes.runs.get(bar.run).map(|run| clean(run)).unwrap_or_default();
                let end = match bar.to {
                    Some(to) if bar.lost => format!(", lost {}", to.strftime("%TZ")),
                    Some(to) => format!(", done {}", to.strftime("%TZ")),
                    None => String::new(),
                };
                format!("{run} from {}{end}", bar.from.strftime("%TZ"))
            })
            .collect();
        let held =
            if held.is_empty() { "not started by any run".to_owned() } else { held.join(" → ") };
        let _ = writeln!(out, "- {}: {}", prose(&clean(&lane.cluster)), prose(&held));
    }
    out.push('\n');
}

fn board(out: &mut String, board: &Board, rows: usize) {
    let rows = (rows / board.stages.len().max(1)).max(2);
    out.push_str("| stage | cluster | state | since | cause |\n|---|---|---|---|---|\n");
    for stage in &board.stages {
        for cluster in stage.clusters.iter().take(rows) {
            let symbol = match cluster.progress {
                ClusterProgress::Updated => "✓",
                ClusterProgress::Failed | ClusterProgress::Started => "✗",
                ClusterProgress::NotStarted => "·",
            };
            let since = cluster.since.map(|at| at.strftime("%TZ").to_string());
            let cause = cluster.cause.map(|number| number.to_string());
            let _ = writeln!(
                out,
                "| {} | {} | {symbol} {} | {} | {} |",
                cell(&clean(&stage.name)),
                cell(&clean(&cluster.name)),
                cluster.progress.words(),
                since.unwrap_or_default(),
                cause.unwrap_or_default(),
            );
        }
        if stage.clusters.len() > rows {
            let rest = stage.clusters.len() - rows;
            let _ = writeln!(out, "| {} | {rest} more | | | |", cell(&clean(&stage.name)));
        }
    }
    out.push('\n');
    for (index, chain) in board.chains.iter().enumerate() {
        let names: Vec<String> = chain.iter().map(|name| prose(&clean(name))).collect();
        let _ = writeln!(out, "{}. {}", index + 1, names.join(" → "));
    }
    if !board.chains.is_empty() {
        out.push('\n');
    }
}

fn gate(out: &mut String, gate: &GateCard) {
    if let (Some(approved), Some(observed), Some(generation)) =
        (&gate.approved, gate.observed, gate.generation)
    {
        out.push_str("| kubectl shows | the controller requires | it finds |\n|---|---|---|\n");
        let _ = writeln!(
            out,
            "| APPROVED {approved} | observedGeneration {generation} | {observed} |\n"
        );
    }
}

fn selectors(out: &mut String, table: &SelectorTable) {
    out.push_str("| stage | selects | clusters |\n|---|---|---|\n");
    for row in &table.rows {
        let clusters: Vec<String> = row
            .clusters
            .iter()
            .take(20)
            .map(|it| format!("{}{}", clean(&it.name), if it.is_shared { " ✗" } else { "" }))
            .collect();
        let _ = writeln!(
            out,
            "| {} | {} | {} |",
            cell(&clean(&row.stage)),
            cell(&clean(&row.selects)),
            cell(&clusters.join(", ")),
        );
    }
    if !table.unplaced.is_empty() {
        let _ = writeln!(out, "| (no stage) | | {} |", cell(&clean(&table.unplaced.join(", "))));
    }
    out.push('\n');
}
