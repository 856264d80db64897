//! Swim lanes: runs of one placement over clusters and time.

use maud::html;

use super::scale::Scale;
use super::{Drawing, WIDTH, fit, width};
use crate::engine::{Bar, Lanes};
use crate::report::snippet::clean;

/// Where the bars begin: names stand to the left.
const LEFT: usize = 160;
/// The height of a lane.
const LANE: usize = 66;
/// More clusters are counted.
const MOST: usize = 24;
/// So many runs have a colour of their own.
const COLOURS: usize = 4;

/// Draws who worked on which cluster when.
pub(super) fn draw(lanes: &Lanes) -> Drawing {
    let right = WIDTH - 20;
    let scale = Scale::new(lanes.from, lanes.to, LEFT, right);
    let shown = lanes.lanes.len().min(MOST);
    let bottom = 34 + shown * LANE;
    let run = |bar: &Bar| lanes.runs.get(bar.run).map(|run| clean(run)).unwrap_or_default();
    let svg = html! {
        (super::history::zoom())
        svg viewBox={"0 0 " (WIDTH) " " (bottom + 40)} aria-hidden="true" data-zoom={(LEFT) " " (right)} {
            defs { pattern #hatch width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)" { rect.stripe width="3" height="8" {} } }
            @for (at, words) in scale.ticks() {
                line.grid data-at=(scale.part(at)) x1=(scale.x(at)) y1="26" x2=(scale.x(at)) y2=(bottom) {}
                text.muted data-at=(scale.part(at)) x=(scale.x(at)) y="16" text-anchor="middle" { (words) }
            }
            @for (index, lane) in lanes.lanes.iter().take(shown).enumerate() {
                @let y = 34 + index * LANE;
                text x="0" y=(y + 38) { (fit(&clean(&lane.cluster), LEFT - 10)) }
                @if lane.bars.is_empty() {
                    text.muted x=(LEFT + 8) y=(y + 38) { "not started by any run" }
                }
                @for (at, bar) in lane.bars.iter().enumerate() {
                    @let end = bar.to.unwrap_or(lanes.to);
                    @let (from, to) = (scale.x(bar.from), scale.x(end));
                    // What the next run took is its own from then on.
                    @let free = lane.bars.get(at + 1).map_or(to, |next| scale.x(next.from).min(to));
                    rect class={"r" (bar.run % COLOURS)} data-at=(scale.part(bar.from)) data-to=(scale.part(end))
                        x=(from) y=(y + 20) width=((to - from).max(4)) height="28" rx="3" {
                        title { (bar_words(&run(bar), bar)) }
                    }
                    @if bar.lost {
                        rect.lost data-at=(scale.part(bar.from)) data-to=(scale.part(end))
                            x=(from) y=(y + 20) width=((to - from).max(4)) height="28" rx="3" {}
                    }
                    @if free.saturating_sub(from) > width(&run(bar)) + 22 {
                        text.on data-at=(scale.part(bar.from)) data-room=(scale.part(end)) x=(from + 8) y=(y + 39) { (run(bar)) }
                    }
                    @if let Some(taken) = taken(&lane.bars, at) {
                        @let words = format!("{} {} takes {}", bar.from.strftime("%T"), run(bar), clean(&lane.cluster));
                        line.mark data-at=(scale.part(bar.from)) x1=(from) y1=(y + 6) x2=(from) y2=(y + 58) {}
                        circle.mark data-at=(scale.part(bar.from)) cx=(from) cy=(y + 8) r="5" {}
                        @if from.saturating_sub(scale.x(taken.from)) > 0 && (at < 2 || lane.bars.len() < 3) {
                            @let flips = from + width(&words) + 12 > right;
                            text.bad data-at=(scale.part(bar.from)) x=(if flips { from - 10 } else { from + 10 }) y=(y + 13)
                                text-anchor=(if flips { "end" } else { "start" }) { (words) }
                        }
                    }
                }
                line.grid x1="0" y1=(y + LANE - 1) x2=(right) y2=(y + LANE - 1) {}
            }
            @for (index, run) in lanes.runs.iter().take(COLOURS).enumerate() {
                @let at = LEFT + index * 200;
                rect class={"r" (index)} x=(at) y=(bottom + 14) width="14" height="14" rx="3" {}
                text.muted x=(at + 20) y=(bottom + 26) { (fit(&clean(run), 170)) }
            }
        }
    };
    let mut words = Vec::new();
    for lane in lanes.lanes.iter().take(shown) {
        if lane.bars.is_empty() {
            words.push(format!("{}: not started by any run", clean(&lane.cluster)));
        }
        let bars = lane.bars.iter();
        words.extend(
            bars.map(|bar| format!("{}: {}", clean(&lane.cluster), bar_words(&run(bar), bar))),
        );
    }
    let hidden = lanes.lanes.len() - shown;
    words.extend((hidden > 0).then(|| format!("{hidden} more clusters")));
    let caption = "Each bar is a run at work on a cluster. A hatched bar ends where the run lost the cluster.";
    Drawing { svg, words, caption }
}

/// Returns the bar from which another took the cluster.
fn taken(bars: &[Bar], at: usize) -> Option<&Bar> {
    let before = bars.get(at.checked_sub(1)?)?;
    before.lost.then_some(before)
}

fn bar_words(run: &str, bar: &Bar) -> String {
    let from = bar.from.strftime("%TZ");
    match bar.to {
        Some(to) if bar.lost => format!("{run} from {from}, lost it at {}", to.strftime("%TZ")),
        Some(to) => format!("{run} from {from}, done at {}", to.strftime("%TZ")),
        None if bar.lost => format!("{run} from {from}, lost it"),
        None => format!("{run} from {from}, under way at the capture"),
    }
}
