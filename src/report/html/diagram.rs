//! The diagram of a report as inline SVG, chosen by its first cause.
//!
//! A drawing cannot be read aloud and shrinks on a phone: each has the same in words, which screen readers read and
//! narrow screens show in its place.

mod board;
mod causes;
mod gate;
mod history;
mod lanes;
mod scale;
mod selectors;

use maud::{Markup, html};

use crate::engine::{Diagram, Report};
use crate::graph::Clock;
use crate::report::snippet::clean;
pub(super) use history::history;

/// The width of all drawings, in their own units.
const WIDTH: usize = 1000;

/// What is drawn, and the same in words.
struct Drawing {
    svg: Markup,
    words: Vec<String>,
    caption: &'static str,
}

/// Draws the picture of a report, if it has one.
pub(super) fn section(report: &Report) -> Markup {
    let Some(diagram) = &report.diagram else { return html! {} };
    html! {
        section aria-labelledby="picture" {
            h2 id="picture" { (title(diagram)) }
            (figure(draw(diagram, &report.clock)))
        }
    }
}

fn title(diagram: &Diagram) -> String {
    match diagram {
        Diagram::Lanes(drawn) => {
            format!("Who updated which cluster of {}", clean(&drawn.placement))
        }
        Diagram::Board(drawn) => format!("Where {} stands", clean(&drawn.run)),
        Diagram::Gate(drawn) => {
            format!("The gate {} stage {}", drawn.side.word(), clean(&drawn.stage))
        }
        Diagram::Selectors(_) => "Which stage selects which cluster".to_owned(),
        Diagram::Causes(_) => "What holds up what".to_owned(),
    }
}

fn draw(diagram: &Diagram, clock: &Clock) -> Drawing {
    match diagram {
        Diagram::Lanes(drawn) => lanes::draw(drawn),
        Diagram::Board(drawn) => board::draw(drawn, clock),
        Diagram::Gate(drawn) => gate::draw(drawn),
        Diagram::Selectors(drawn) => selectors::draw(drawn),
        Diagram::Causes(drawn) => causes::draw(drawn),
    }
}

/// Puts a drawing and its words into the page.
fn figure(Drawing { svg, words, caption }: Drawing) -> Markup {
    html! {
        figure {
            div.drawing { (svg) }
            ol.words { @for line in &words { li { (line) } } }
            @if !caption.is_empty() { figcaption { (caption) } }
        }
    }
}

/// Cuts a text to what fits into some units, at the size of a drawing's letters.
fn fit(text: &str, room: usize) -> String {
    cut(text, room * 10 / 80)
}

/// Cuts a text in small letters to what fits into some units.
fn fit_small(text: &str, room: usize) -> String {
    cut(text, room * 10 / 73)
}

fn cut(text: &str, letters: usize) -> String {
    if text.chars().count() <= letters {
        return text.to_owned();
    }
    text.chars().take(letters.saturating_sub(1)).chain(['…']).collect()
}

/// Returns how many units a text takes at most, in bold letters, too.
fn width(text: &str) -> usize {
    text.chars().count() * 94 / 10
}
