//! The tree for people: one node per line, wrapped where the terminal is narrow.
//!
//! The other formats live below: JSON for programs, Mermaid and DOT for drawings. All text of the
//! bundle is cleaned on its way out.

mod drawing;
mod json;

pub use drawing::{render_dot, render_mermaid};
pub use json::render_json;

use std::fmt::Write as _;

use super::clean;
use crate::engine::tree::{Branch, Forest, Mark, Mood};
use crate::graph::Clock;
use crate::model::time::show_duration;

/// Below this many columns the tree is indented by two, not three.
const NARROW: usize = 80;

/// The fewest columns that a text gets, however deep its node stands.
const LEAST: usize = 12;

/// Renders the trees, `width` columns wide.
pub fn render(forest: &Forest, clock: &Clock, width: usize) -> String {
    let mut out = String::new();
    let pen = Pen { clock, width };
    for (index, root) in forest.roots.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        pen.draw(&mut out, root, "", "");
    }
    if forest.roots.is_empty() && forest.notes.is_empty() {
        out.push_str("no run, placement, binding or Work in the input\n");
    }
    if !forest.notes.is_empty() && !forest.roots.is_empty() {
        out.push_str("\nWhat would change it:\n");
    }
    let lead = if forest.roots.is_empty() { "" } else { "- " };
    for note in &forest.notes {
        let indent = " ".repeat(lead.len());
        pen.wrap(&mut out, lead, &indent, &clean(note));
    }
    if !forest.elsewhere.is_empty() {
        out.push('\n');
        let codes = codes(&forest.elsewhere);
        pen.wrap(&mut out, "", "  ", &format!("about nothing in the tree: {codes}"));
    }
    out
}

struct Pen<'c> {
    clock: &'c Clock,
    width: usize,
}

impl Pen<'_> {
    /// Draws a branch; `lead` stands before its first line, `indent` before all others.
    fn draw(&self, out: &mut String, branch: &Branch, lead: &str, indent: &str) {
        let narrow = self.width < NARROW;
        let [fork, last, through, blank] = if narrow {
            ["├ ", "└ ", "│ ", "  "]
        } else {
            ["├─ ", "└─ ", "│  ", "   "]
        };
        let trunk = if branch.children.is_empty() { "    " } else { "│   " };
        self.wrap(out, lead, &format!("{indent}{trunk}"), &self.line(branch));
        for (index, child) in branch.children.iter().enumerate() {
            let is_last = index + 1 == branch.children.len();
            let (arm, below) = if is_last { (last, blank) } else { (fork, through) };
            self.draw(out, child, &format!("{indent}{arm}"), &format!("{indent}{below}"));
        }
    }

    fn line(&self, branch: &Branch) -> String {
        let mut text = clean(&branch.name);
        if let Some(state) = state_text(branch, self.clock) {
            let _ = write!(text, "   {} {state}", sign(branch.state.mood));
        }
        if !branch.marks.is_empty() {
            let _ = write!(text, "   {}", codes(&branch.marks));
        }
        text
    }

    /// Writes a text in as many lines as it needs; words that are wider than a line are cut.
    fn wrap(&self, out: &mut String, lead: &str, indent: &str, text: &str) {
        let room = |before: &str| self.width.saturating_sub(before.chars().count()).max(LEAST);
        if text.chars().count() <= room(lead) {
            let _ = writeln!(out, "{lead}{text}");
            return;
        }
        let (mut line, mut left) = (lead.to_owned(), room(lead));
        let mut is_fresh = true;
        for word in text.split_whitespace() {
            let mut rest: Vec<char> = word.chars().collect();
            loop {
                let gap = usize::from(!is_fresh);
                if rest.len() + gap <= left {
                    line.push_str(if is_fresh { "" } else { " " });
                    line.extend(&rest);
                    left -= rest.len() + gap;
                    is_fresh = false;
                    break;
                }
                if is_fresh {
                    line.extend(rest.drain(..left));
                }
                let _ = writeln!(out, "{line}");
                (line, left, is_fresh) = (indent.to_owned(), room(indent), true);
            }
        }
        let _ = writeln!(out, "{line}");
    }
}

/// Returns the state with its age by the capture clock.
fn state_text(branch: &Branch, clock: &Clock) -> Option<String> {
    let state = &branch.state;
    let age = state.since.and_then(|since| clock.since(since));
    let age = age.map(|age| format!(" ({})", show_duration(age))).unwrap_or_default();
    (!state.words.is_empty()).then(|| format!("{}{age}", clean(&state.words)))
}

fn sign(mood: Mood) -> &'static str {
    match mood {
        Mood::Done => "✓",
        Mood::Active => "▸",
        Mood::Waiting => "·",
        Mood::Failed => "×",
        Mood::Unknown => "?",
    }
}

/// Returns the codes, each once, in the order of the report.
fn codes(marks: &[Mark]) -> String {
    let mut codes: Vec<&str> = Vec::new();
    for mark in marks {
        if !codes.contains(&mark.code) {
            codes.push(mark.code);
        }
    }
    codes.join(" ")
}
