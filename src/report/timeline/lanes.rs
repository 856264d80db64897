//! The key moments of a timeline for people: a lane for the hub and one per cluster, the cause marked.

use std::fmt::Write as _;

use jiff::SignedDuration;

use super::{clock, place};
use crate::engine::Report;
use crate::engine::{KeyMoment, KeyMoments};
use crate::kube::time::show_duration;
use crate::report::clean;
use crate::report::human::{Look, paint_cause, paint_dim, paint_good};
use crate::report::prose::{clipped, columns, padded, wrap};
use crate::report::snippet::masked;
use crate::source::Sources;
use crate::views::timeline::Timeline;

/// Nothing for longer than this is told.
const QUIET: SignedDuration = SignedDuration::from_secs(10);
/// A lane below this is too narrow to be read.
const NARROWEST: usize = 18;
/// Longer words are wrapped in a lane.
const WIDEST: usize = 44;
/// Longer words are cut.
const LONGEST: usize = 120;
/// So many causes are told below, marked or not.
const TOLD: usize = 3;
/// The time of a line, with the blanks after it.
const TIME: usize = 14;

/// Where each event stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Places {
    /// Is not told.
    Hidden,
    /// Is told under it.
    Shown,
}

/// Renders the story of a bundle.
pub fn render(
    story: &KeyMoments<'_>,
    timeline: &Timeline,
    report: &Report,
    sources: &Sources,
    look: Look,
    places: Places,
) -> String {
    let mut out = String::new();
    let day = story.scenes.first().map(|scene| scene.moment.time.strftime("%F").to_string());
    let told = format!(
        "{}, UTC · {} of {} events, the ones that carry the verdict (--all)",
        day.unwrap_or_default(),
        story.scenes.len(),
        timeline.moments.len()
    );
    wrap(&mut out, "", "  ", &told, look.width);
    out.push('\n');
    let drawing = Drawing { story, sources, look, places };
    match widths(story, look.width.saturating_sub(TIME)) {
        Some(widths) => drawing.lanes(&mut out, &widths),
        None => drawing.list(&mut out),
    }
    if let Some(now) = report.clock.now {
        let line = format!("{}  end of the capture", padded(&clock(now), TIME - 2));
        let _ = writeln!(out, "{}", paint_dim(look, &line));
    }
    for (index, cause) in report.verdict.causes.iter().enumerate() {
        let marked = story.scenes.iter().any(|it| it.cause.is_some_and(|(at, _)| at == index + 1));
        let told = marked || index < TOLD;
        if let Some(resolved) = report.findings.get(cause.finding).filter(|_| told) {
            let text = masked(&resolved.finding.message);
            let lead = format!("cause {}  ", index + 1);
            out.push('\n');
            wrap(&mut out, &lead, &" ".repeat(lead.len()), &text, look.width);
        }
    }
    out.push('\n');
    let hint =
        "Where each event stands in the bundle: --places. One run or cluster: --run, --cluster.";
    wrap(&mut out, "", "", hint, look.width);
    out
}

/// Divides the room between the lanes, to each what its words need; nothing if they cannot be read then.
fn widths(story: &KeyMoments<'_>, room: usize) -> Option<Vec<usize>> {
    let needs = story.lanes.iter().map(|lane| {
        let own = story.scenes.iter().filter(|scene| scene.lane == *lane);
        let words = own.map(|scene| columns(&shown(scene))).max().unwrap_or(0);
        words.min(WIDEST).max(columns(&clean(lane)))
    });
    let mut widths: Vec<usize> = needs.collect();
    let gaps = 2 * widths.len();
    while widths.iter().sum::<usize>() + gaps > room {
        let widest = widths.iter_mut().max()?;
        if *widest <= NARROWEST {
            return None;
        }
        *widest -= 1;
    }
    Some(widths)
}

fn shown(scene: &KeyMoment<'_>) -> String {
    clipped(&masked(&scene.words), LONGEST)
}

struct Drawing<'s> {
    story: &'s KeyMoments<'s>,
    sources: &'s Sources,
    look: Look,
    places: Places,
}

impl Drawing<'_> {
    /// Draws a column per lane.
    fn lanes(&self, out: &mut String, widths: &[usize]) {
        let lanes = || self.story.lanes.iter().zip(widths);
        let names: String =
            lanes().map(|(lane, wide)| padded(&clipped(&clean(lane), *wide), wide + 2)).collect();
        let rules: String = widths.iter().map(|wide| "─".repeat(*wide) + "  ").collect();
        let _ = writeln!(out, "{}{}", " ".repeat(TIME), names.trim_end());
        let _ = writeln!(out, "{}{}", " ".repeat(TIME), paint_dim(self.look, rules.trim_end()));
        let mut last = String::new();
        for (index, scene) in self.story.scenes.iter().enumerate() {
            self.gap(out, index);
            let at = self.story.lanes.iter().position(|lane| *lane == scene.lane).unwrap_or(0);
            let mut cell = String::new();
            let own = widths.get(at).copied().unwrap_or(NARROWEST);
            wrap(&mut cell, "", "  ", &shown(scene), own + 2);
            let rows = cell.lines().count();
            for (row, text) in cell.lines().enumerate() {
                let time = if row == 0 { clock(scene.moment.time) } else { String::new() };
                let time = if time == last { String::new() } else { time };
                if !time.is_empty() {
                    last = time.clone();
                }
                let mut line = padded(&time, TIME);
                for (lane, wide) in widths.iter().enumerate() {
                    let dot = if row == 0 { "·" } else { "" };
                    let text = if lane == at { text } else { dot };
                    line.push_str(&padded(&clipped(text, *wide), wide + 2));
                }
                self.end(out, line.trim_end(), scene, row + 1 == rows);
            }
        }
    }

    /// Draws a line per moment with the name of its lane.
    fn list(&self, out: &mut String) {
        let names = self.story.lanes.iter().map(|lane| columns(&clean(lane)));
        let names = names.max().unwrap_or(3).min(20);
        let mut last = String::new();
        for (index, scene) in self.story.scenes.iter().enumerate() {
            self.gap(out, index);
            let time = clock(scene.moment.time);
            let fresh = if time == last { String::new() } else { time.clone() };
            last = time;
            let lane = clipped(&clean(&scene.lane), names);
            let lead = format!("{}{}  ", padded(&fresh, TIME), padded(&lane, names));
            let mut lines = String::new();
            wrap(&mut lines, &lead, &" ".repeat(columns(&lead)), &shown(scene), self.look.width);
            let rows = lines.lines().count();
            for (row, line) in lines.lines().enumerate() {
                self.end(out, line, scene, row + 1 == rows);
            }
        }
    }

    /// Ends the line of a scene: the mark of the cause, and on request the place.
    fn end(&self, out: &mut String, line: &str, scene: &KeyMoment<'_>, last: bool) {
        match scene.cause.filter(|_| last) {
            Some((number, code)) => {
                let mark = format!("◀ cause {number}  {code}");
                let free = self.look.width.saturating_sub(columns(line) + columns(&mark));
                if free >= 2 {
                    let blanks = " ".repeat(free.min(4));
                    let _ = writeln!(out, "{line}{blanks}{}", paint_cause(self.look, &mark));
                } else {
                    let _ = writeln!(out, "{line}");
                    let blanks = " ".repeat(TIME);
                    let _ = writeln!(out, "{blanks}{}", paint_cause(self.look, &mark));
                }
            }
            None => {
                let _ = writeln!(out, "{}", self.tinted(line));
            }
        }
        if last && self.places == Places::Shown {
            let place = place(scene.moment, self.sources);
            let _ = writeln!(out, "{}{}", " ".repeat(TIME), paint_dim(self.look, &place));
        }
    }

    /// Colours the states in a line, which stand in capitals.
    fn tinted(&self, line: &str) -> String {
        let bad = |line: String, word: &str| line.replace(word, &paint_cause(self.look, word));
        let line = ["FAILED", "STUCK"].into_iter().fold(line.to_owned(), bad);
        line.replace("SUCCEEDED", &paint_good(self.look, "SUCCEEDED"))
    }

    /// Says how long nothing changed before a scene.
    fn gap(&self, out: &mut String, index: usize) {
        let scenes = &self.story.scenes;
        let before = index.checked_sub(1).and_then(|at| scenes.get(at));
        let quiet = before.zip(scenes.get(index));
        let quiet = quiet.map(|(one, two)| two.moment.time.duration_since(one.moment.time));
        if let Some(quiet) = quiet.filter(|quiet| *quiet >= QUIET) {
            let quiet = show_duration(SignedDuration::from_secs(quiet.as_secs()));
            let text = format!("{}… {quiet} …", " ".repeat(TIME));
            let _ = writeln!(out, "{}", paint_dim(self.look, &text));
        }
    }
}
