//! The tree as a drawing: Mermaid for wikis and tickets, DOT for Graphviz.
//!
//! Nodes are numbered in the order of the text tree. What a name holds cannot end a label: the
//! characters that mean something to either language are escaped.

use std::fmt::Write as _;

use super::{codes, state_text};
use crate::graph::Clock;
use crate::report::clean;
use crate::views::tree::{FleetTree, NodeProgress, TreeNode};

/// Renders the trees as a Mermaid flowchart.
pub fn render_mermaid(forest: &FleetTree, clock: &Clock) -> String {
    let mut out = String::from("flowchart LR\n");
    for (mood, look) in LOOKS {
        let _ = writeln!(out, "  classDef {} fill:{look},color:#000", mood.word());
    }
    visit(&forest.roots, &mut |number, parent, branch| {
        let lines: Vec<String> =
            labels(branch, clock).iter().map(|line| escape_mermaid(line)).collect();
        let label = lines.join("<br/>");
        let _ = writeln!(out, "  n{number}[\"{label}\"]:::{}", branch.state.mood.word());
        if let Some(parent) = parent {
            let _ = writeln!(out, "  n{parent} --> n{number}");
        }
    });
    for note in &forest.notes {
        let _ = writeln!(out, "  %% {}", clean(note));
    }
    out
}

/// Renders the trees as a DOT graph.
pub fn render_dot(forest: &FleetTree, clock: &Clock) -> String {
    let mut out =
        String::from("digraph fleetlens {\n  rankdir=LR;\n  node [shape=box, style=filled];\n");
    visit(&forest.roots, &mut |number, parent, branch| {
        let lines: Vec<String> =
            labels(branch, clock).iter().map(|line| escape_dot(line)).collect();
        let label = lines.join("\\n");
        let look = LOOKS.iter().find(|(mood, _)| *mood == branch.state.mood);
        let look = look.map(|(_, look)| *look).unwrap_or_default();
        let _ = writeln!(out, "  n{number} [label=\"{label}\", fillcolor=\"{look}\"];");
        if let Some(parent) = parent {
            let _ = writeln!(out, "  n{parent} -> n{number};");
        }
    });
    out.push_str("}\n");
    for note in &forest.notes {
        let _ = writeln!(out, "// {}", clean(note));
    }
    out
}

/// The fill of a node by how far it is.
const LOOKS: [(NodeProgress, &str); 5] = [
    (NodeProgress::Done, "#d5f5d5"),
    (NodeProgress::Active, "#d5e5fa"),
    (NodeProgress::Waiting, "#f5f0c8"),
    (NodeProgress::Failed, "#f8d0d0"),
    (NodeProgress::Unknown, "#eeeeee"),
];

/// Calls `draw` for every node with its number and its parent's.
fn visit(roots: &[TreeNode], draw: &mut dyn FnMut(usize, Option<usize>, &TreeNode)) {
    let mut open: Vec<(Option<usize>, &TreeNode)> =
        roots.iter().rev().map(|root| (None, root)).collect();
    let mut number = 0;
    while let Some((parent, branch)) = open.pop() {
        draw(number, parent, branch);
        open.extend(branch.children.iter().rev().map(|child| (Some(number), child)));
        number += 1;
    }
}

fn labels(branch: &TreeNode, clock: &Clock) -> Vec<String> {
    let marks = codes(&branch.marks);
    let marks = (!marks.is_empty()).then_some(marks);
    [Some(clean(&branch.name)), state_text(branch, clock), marks].into_iter().flatten().collect()
}

/// Mermaid reads `#name;` as a character, quotes and backticks as ends, and angle brackets as tags.
fn escape_mermaid(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' | '#' | '<' | '>' | '&' | '`' | ';' | '\\' => {
                let _ = write!(out, "#{};", u32::from(c));
            }
            _ => out.push(c),
        }
    }
    out
}

fn escape_dot(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
