//! The list of causes of a busy hub: each cause with the runs and placements that it holds up.

use maud::html;

use super::{Drawing, WIDTH, fit, width};
use crate::engine::{CauseList, CauseRow};
use crate::report::snippet::masked;
use crate::report::ticket::symbol_of;

/// The height of a line of runs and placements.
const LINE: usize = 34;
/// The left edge of those lines.
const LEFT: usize = 56;

/// A run or placement in its place: x, line, width, words.
type Chip = (usize, usize, usize, String);

/// Draws the causes with what they hold up.
pub(super) fn draw(list: &CauseList) -> Drawing {
    let mut rows: Vec<(&CauseRow, Vec<Chip>, usize, usize)> = Vec::new();
    let mut y = 0;
    for row in &list.rows {
        let (chips, lines) = chips(row);
        let height = 46 + lines * LINE;
        rows.push((row, chips, y, height));
        y += height + 10;
    }
    let svg = html! {
        svg viewBox={"0 0 " (WIDTH) " " (y + if list.more > 0 { 24 } else { 0 })} aria-hidden="true" {
            @for (row, chips, y, height) in &rows {
                rect.frame x="1" y=(y + 1) width=(WIDTH - 2) height=(height - 2) rx="9" {}
                rect.edge-bad x="1" y=(y + 1) width="6" height=(height - 2) rx="3" {}
                text.bad x="22" y=(y + 28) { (row.number) }
                text.strong x=(LEFT) y=(y + 28) { (fit(&masked(&row.text), (WIDTH - LEFT - 20) * 10 / 11)) title { (masked(&row.text)) } }
                @for (x, line, wide, words) in chips {
                    @let top = y + 40 + line * LINE;
                    rect.card x=(x) y=(top) width=(wide) height="27" rx="6" {}
                    text x=(x + 11) y=(top + 18) { (words) }
                }
            }
            @if list.more > 0 { text.muted x=(LEFT) y=(y + 16) { (list.more) " more causes" } }
        }
    };
    let words = list.rows.iter().map(|row| {
        let held: Vec<String> = row
            .holds
            .iter()
            .map(|(name, state)| format!("{} {}", masked(name), state.word()))
            .collect();
        let holds =
            if held.is_empty() { String::new() } else { format!(" Holds up {}.", held.join(", ")) };
        format!("{}{holds}", masked(&row.text))
    });
    Drawing { svg, words: words.collect(), caption: "" }
}

fn chips(row: &CauseRow) -> (Vec<Chip>, usize) {
    let mut words: Vec<String> = Vec::new();
    for (name, state) in &row.holds {
        words.push(format!("{} {} {}", masked(name), symbol_of(*state), state.word()));
    }
    words.extend((row.more > 0).then(|| format!("{} more", row.more)));
    let (mut x, mut line) = (LEFT, 0);
    let mut chips = Vec::new();
    for text in words {
        let text = fit(&text, WIDTH - LEFT - 60);
        let wide = width(&text) + 22;
        if x > LEFT && x + wide > WIDTH - 14 {
            (x, line) = (LEFT, line + 1);
        }
        chips.push((x, line, wide, text));
        x += wide + 8;
    }
    let lines = if chips.is_empty() { 0 } else { line + 1 };
    (chips, lines)
}
