//! The tree for people: one node per line, wrapped where the terminal is narrow, like leaves folded.
//!
//! The other formats live below: JSON for programs, Mermaid and DOT for drawings. All text of the
//! bundle is cleaned on its way out.

mod drawing;
mod json;

pub use drawing::{render_dot, render_mermaid};
pub use json::render_json;

use std::fmt::Write as _;

use super::clean;
use super::human::Color;
use super::prose::{columns, fitting};
use crate::graph::Clock;
use crate::views::tree::{FleetTree, NodeKind, NodeProgress, TreeMark, TreeNode};

/// Below this many columns the tree is indented by two, not three.
const NARROW: usize = 80;

/// The fewest columns that a text gets, however deep its node stands.
const LEAST: usize = 12;

/// Of more leaves than this with one state, all but the first few are counted.
const ALIKE: usize = 8;

/// How many stand for the others.
const SHOWN: usize = 3;

/// Renders the trees, `width` columns wide.
pub fn render(forest: &FleetTree, clock: &Clock, width: usize, color: Color) -> String {
    let mut out = String::new();
    let pen = Pen { clock, width, color };
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
        pen.wrap(&mut out, lead, &indent, &[plain(clean(note))]);
    }
    if !forest.elsewhere.is_empty() {
        out.push('\n');
        let text =
            [plain("about nothing in the tree:".to_owned()), (codes(&forest.elsewhere), CODE)];
        pen.wrap(&mut out, "", "  ", &text);
    }
    out
}

/// The colour of codes.
const CODE: Option<&str> = Some("35");

/// A piece of a line and the colour that it has, if any.
type Piece = (String, Option<&'static str>);

fn plain(text: String) -> Piece {
    (text, None)
}

struct Pen<'c> {
    clock: &'c Clock,
    width: usize,
    color: Color,
}

impl Pen<'_> {
    /// Draws a branch; `lead` stands before its first line, `indent` before all others.
    fn draw(&self, out: &mut String, branch: &TreeNode, lead: &str, indent: &str) {
        let narrow = self.width < NARROW;
        let [fork, last, through, blank] = if narrow {
            ["├ ", "└ ", "│ ", "  "]
        } else {
            ["├─ ", "└─ ", "│  ", "   "]
        };
        let trunk = if branch.children.is_empty() { "    " } else { "│   " };
        self.wrap(out, lead, &format!("{indent}{trunk}"), &self.line(branch));
        let mut rest = branch.children.as_slice();
        while let Some((child, others)) = rest.split_first() {
            let alike = rest.iter().take_while(|other| is_alike(child, other)).count();
            let shown = if alike > ALIKE { SHOWN } else { 1 };
            let (drawn, left) = rest.split_at(shown.min(rest.len()));
            let folded = if alike > ALIKE { alike - shown } else { 0 };
            rest = if folded > 0 { left.get(folded..).unwrap_or_default() } else { others };
            for (index, child) in drawn.iter().enumerate() {
                let is_last = rest.is_empty() && folded == 0 && index + 1 == drawn.len();
                let (arm, below) = if is_last { (last, blank) } else { (fork, through) };
                self.draw(out, child, &format!("{indent}{arm}"), &format!("{indent}{below}"));
            }
            if folded > 0 {
                let arm = if rest.is_empty() { last } else { fork };
                let mut line = vec![plain(format!("and {folded} more like these"))];
                line.push(self.sign(child.state.mood));
                self.wrap(out, &format!("{indent}{arm}"), &format!("{indent}    "), &line);
            }
        }
    }

    fn line(&self, branch: &TreeNode) -> Vec<Piece> {
        let mut line = vec![plain(clean(&branch.name))];
        if let Some(state) = state_text(branch, self.clock) {
            line.extend([self.sign(branch.state.mood), plain(state)]);
        }
        if !branch.marks.is_empty() {
            line.push((codes(&branch.marks), CODE));
        }
        line
    }

    fn sign(&self, mood: NodeProgress) -> Piece {
        let (sign, color) = match mood {
            NodeProgress::Done => ("✓", Some("32")),
            NodeProgress::Active => ("▸", Some("36")),
            NodeProgress::Waiting => ("·", None),
            NodeProgress::Failed => ("×", Some("31")),
            NodeProgress::Unknown => ("?", Some("33")),
        };
        (sign.to_owned(), color)
    }

    fn paint(&self, text: &str, color: Option<&str>) -> String {
        match color.filter(|_| self.color == Color::Ansi) {
            Some(color) => format!("\u{1b}[{color}m{text}\u{1b}[0m"),
            None => text.to_owned(),
        }
    }

    /// Writes a line in as many lines as it needs; words that are wider than a line are cut.
    fn wrap(&self, out: &mut String, lead: &str, indent: &str, pieces: &[Piece]) {
        let room = |before: &str| self.width.saturating_sub(columns(before)).max(LEAST);
        if columns(&joined(pieces, |text, _| text.to_owned())) <= room(lead) {
            let text = joined(pieces, |text, color| self.paint(text, color));
            let _ = writeln!(out, "{lead}{text}");
            return;
        }
        let (mut line, mut left) = (lead.to_owned(), room(lead));
        let mut is_fresh = true;
        let words = pieces
            .iter()
            .flat_map(|(text, color)| text.split_whitespace().map(move |word| (word, *color)));
        for (word, color) in words {
            let mut rest = word;
            loop {
                let gap = usize::from(!is_fresh);
                if columns(rest) + gap <= left {
                    line.push_str(if is_fresh { "" } else { " " });
                    line.push_str(&self.paint(rest, color));
                    left -= columns(rest) + gap;
                    is_fresh = false;
                    break;
                }
                if is_fresh {
                    let cut = fitting(rest, left);
                    line.push_str(cut);
                    rest = rest.get(cut.len()..).unwrap_or_default();
                }
                let _ = writeln!(out, "{line}");
                (line, left, is_fresh) = (indent.to_owned(), room(indent), true);
            }
        }
        let _ = writeln!(out, "{line}");
    }
}

/// Joins the pieces of a line: what follows the name stands apart, a sign next to its words.
fn joined(pieces: &[Piece], paint: impl Fn(&str, Option<&str>) -> String) -> String {
    let mut text = String::new();
    let mut after_sign = true;
    for (piece, color) in pieces {
        text.push_str(match (text.is_empty(), after_sign) {
            (true, _) => "",
            (false, true) => " ",
            (false, false) => "   ",
        });
        text.push_str(&paint(piece, *color));
        after_sign = piece.chars().count() == 1;
    }
    text
}

/// Says whether two leaves tell the same, so that one of many may stand for the others.
fn is_alike(one: &TreeNode, other: &TreeNode) -> bool {
    let leaf = |it: &TreeNode| it.children.is_empty() && it.marks.is_empty();
    leaf(one)
        && leaf(other)
        && matches!(one.sort, NodeKind::Pod | NodeKind::Manifest)
        && one.sort == other.sort
        && one.state.words == other.state.words
        && one.state.more == other.state.more
}

/// Returns the state with its age by the capture clock, and what else is to know.
fn state_text(branch: &TreeNode, clock: &Clock) -> Option<String> {
    let state = &branch.state;
    let age = state.since.and_then(|since| clock.show_since(since));
    let age = age.map(|age| format!(" ({age})")).unwrap_or_default();
    let parts = [format!("{}{age}", clean(&state.words)), clean(&state.more)];
    let parts: Vec<&str> =
        parts.iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// Returns the codes, each once, in the order of the report.
fn codes(marks: &[TreeMark]) -> String {
    let mut codes: Vec<&str> = Vec::new();
    for mark in marks {
        if !codes.contains(&mark.code) {
            codes.push(mark.code);
        }
    }
    codes.join(" ")
}
