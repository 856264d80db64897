//! The selector table: which stage of a strategy selects which cluster, for a run that could not be initialized.

use maud::html;

use super::{Drawing, WIDTH, fit, width};
use crate::engine::SelectorTable;
use crate::report::snippet::clean;

/// Where the columns begin.
const SELECTS: usize = 170;
const CLUSTERS: usize = 560;
/// The height of a line of clusters.
const LINE: usize = 36;
/// More clusters of a stage are counted.
const MOST: usize = 24;

/// A cluster in its place: x, line, width, words, whether it is at fault.
type Chip = (usize, usize, usize, String, bool);

/// Draws the stages with what they select.
pub(super) fn draw(table: &SelectorTable) -> Drawing {
    let mut rows: Vec<(String, String, Vec<Chip>, usize)> = Vec::new();
    for (index, row) in table.rows.iter().enumerate() {
        let clusters = row.clusters.iter().map(|it| (clean(&it.name), it.is_shared));
        let (chips, lines) = chips(clusters.collect());
        let selects =
            if row.selects.is_empty() { "every cluster".to_owned() } else { clean(&row.selects) };
        rows.push((format!("{} {}", index + 1, clean(&row.stage)), selects, chips, lines));
    }
    if !table.unplaced.is_empty() {
        let clusters = table.unplaced.iter().map(|name| (clean(name), true)).collect();
        let (chips, lines) = chips(clusters);
        rows.push(("no stage".to_owned(), String::new(), chips, lines));
    }
    let words = rows.iter().map(|(stage, selects, chips, _)| {
        let names: Vec<&str> = chips.iter().map(|(.., words, _)| words.as_str()).collect();
        let names = if names.is_empty() { "no cluster".to_owned() } else { names.join(", ") };
        let selects =
            if selects.is_empty() { String::new() } else { format!(" selects {selects}") };
        format!("{stage}{selects}: {names}")
    });
    let words = words.collect();
    let height = 34 + rows.iter().map(|(.., lines)| lines * LINE + 10).sum::<usize>();
    let tops = rows.iter().scan(34, |y, (.., lines)| {
        let top = *y;
        *y += lines * LINE + 10;
        Some(top)
    });
    let tops: Vec<usize> = tops.collect();
    let svg = html! {
        svg viewBox={"0 0 " (WIDTH) " " (height)} aria-hidden="true" {
            text.muted x="0" y="18" { "stage" }
            text.muted x=(SELECTS) y="18" { "selects" }
            text.muted x=(CLUSTERS) y="18" { "clusters" }
            @for ((stage, selects, chips, _), y) in rows.iter().zip(&tops) {
                line.grid x1="0" y1=(y) x2=(WIDTH) y2=(y) {}
                text.strong x="0" y=(y + 28) { (fit(stage, SELECTS - 16)) }
                text.code x=(SELECTS) y=(y + 28) { (fit(selects, (CLUSTERS - SELECTS - 20) * 10 / 11)) title { (selects) } }
                @for (x, line, wide, words, fault) in chips {
                    @let top = y + 6 + line * LINE;
                    rect class=(if *fault { "root" } else { "card" }) x=(x) y=(top) width=(wide) height="30" rx="6" {}
                    text class=(if *fault { "strong" } else { "plain" }) x=(x + 11) y=(top + 20) { (words) }
                }
            }
        }
    };
    Drawing { svg, words, caption: "✗ marks a cluster that is not in exactly one stage." }
}

fn chips(clusters: Vec<(String, bool)>) -> (Vec<Chip>, usize) {
    let (mut x, mut line) = (CLUSTERS, 0);
    let mut chips: Vec<Chip> = Vec::new();
    let hidden = clusters.len().saturating_sub(MOST);
    let mut shown: Vec<(String, bool)> = clusters.into_iter().take(MOST).collect();
    shown.extend((hidden > 0).then(|| (format!("{hidden} more"), false)));
    for (name, fault) in shown {
        let words = fit(&if fault { format!("✗ {name}") } else { name }, WIDTH - CLUSTERS - 30);
        let wide = width(&words) + 22;
        if x > CLUSTERS && x + wide > WIDTH {
            (x, line) = (CLUSTERS, line + 1);
        }
        chips.push((x, line, wide, words, fault));
        x += wide + 8;
    }
    (chips, line + 1)
}
