//! The gate card: what kubectl shows, what the controller requires, and which stages lie on either side.

use maud::{Markup, html};

use super::{Drawing, WIDTH, fit, fit_small};
use crate::engine::GateCard;
use crate::report::snippet::clean;

/// How many stages stand side by side.
const COLUMNS: usize = 5;
/// More stages are counted.
const MOST: usize = 15;
/// The height of a stage with the gap below it.
const ROW: usize = 74;

/// Draws a gate.
pub(super) fn draw(gate: &GateCard) -> Drawing {
    let (shown, required) = (shown(gate), required(gate));
    let counts = gate.observed.is_some() && gate.observed == gate.generation;
    let cells = cells(gate);
    let rows = cells.len().div_ceil(COLUMNS);
    let half = (WIDTH - 80) / 2;
    let svg = html! {
        svg viewBox={"0 0 " (WIDTH) " " (132 + rows * ROW)} aria-hidden="true" {
            (card(0, half, "card", &shown))
            text class=(if counts { "sign ok" } else { "sign bad" }) x=(WIDTH / 2) y="68" text-anchor="middle" {
                (if counts { "=" } else { "≠" })
            }
            (card(WIDTH - half, half, if counts { "card" } else { "root" }, &required))
            @for (index, (class, title, words)) in cells.iter().take(MOST).enumerate() {
                @let wide = WIDTH / COLUMNS;
                @let (x, y) = (index % COLUMNS * wide, 132 + index / COLUMNS * ROW);
                rect class=(class) x=(x + 1) y=(y + 1) width=(wide - 10) height=(ROW - 14) rx="7" {}
                text.strong x=(x + 14) y=(y + 24) { (fit(title, wide - 34)) }
                text.muted x=(x + 14) y=(y + 44) { (fit_small(words, wide - 30)) }
            }
        }
    };
    let mut words = vec![shown.join(" "), required.join(" ")];
    words.extend(cells.iter().map(|(_, title, words)| format!("{title}: {words}")));
    Drawing { svg, words, caption: "" }
}

fn card(x: usize, wide: usize, class: &str, lines: &[String; 3]) -> Markup {
    let [title, value, words] = lines;
    html! {
        rect class=(class) x=(x + 1) y="1" width=(wide - 2) height="112" rx="9" {}
        text.muted x=(x + 18) y="28" { (fit_small(title, wide - 30)) }
        text.mono x=(x + 18) y="62" { (fit(value, (wide - 30) * 3 / 4)) }
        text x=(x + 18) y="94" { (fit(words, wide - 30)) }
    }
}

/// Returns what a person sees.
fn shown(gate: &GateCard) -> [String; 3] {
    let title = format!("kubectl shows of {}", clean(&gate.request));
    match (&gate.approved, gate.is_known) {
        (Some(approved), _) => [
            title,
            format!("APPROVED {}", clean(approved)),
            "by the condition Approved alone".to_owned(),
        ],
        (None, true) => {
            [title, "not approved".to_owned(), "there is no condition Approved".to_owned()]
        }
        (None, false) => {
            [title, "unknown".to_owned(), "the request is not in this bundle".to_owned()]
        }
    }
}

/// Returns what the controller wants to see.
fn required(gate: &GateCard) -> [String; 3] {
    let title = "the controller requires".to_owned();
    let found = match (gate.generation, gate.observed) {
        (Some(wanted), Some(found)) if wanted == found => format!("it finds {found}"),
        (Some(_), Some(found)) => format!("it finds {found}, so the approval does not count"),
        _ => "it finds no approval".to_owned(),
    };
    match gate.generation {
        Some(wanted) => [title, format!("observedGeneration {wanted}"), found],
        None => [title, "an approval".to_owned(), found],
    }
}

/// Returns the stages in order, with the gate in its place.
fn cells(gate: &GateCard) -> Vec<(&'static str, String, String)> {
    let mut cells = Vec::new();
    for (name, clusters, done) in &gate.stages {
        let here = *name == gate.stage;
        let door = ("root", "‖ gate".to_owned(), format!("{} {}", gate.side.word(), clean(name)));
        if here && gate.side.word() == "before" {
            cells.push(door.clone());
        }
        let clusters = match clusters.len() {
            0 => "no cluster".to_owned(),
            count if count > 3 => format!("{count} clusters"),
            _ => clean(&clusters.join(", ")),
        };
        let mark = if *done { "✓ " } else { "" };
        cells.push(("card", format!("{mark}{}", clean(name)), clusters));
        if here && gate.side.word() != "before" {
            cells.push(door);
        }
    }
    cells.truncate(MOST);
    cells
}
