//! The tree for programs, schema `fleetlens/tree/1`: additions only.

use serde_json::{Value, json};

use crate::graph::Clock;
use crate::report::json::object_json;
use crate::report::{clean, json_text};
use crate::views::tree::{FleetTree, TreeMark, TreeNode};

/// Renders the trees as one JSON object.
pub fn render_json(forest: &FleetTree, clock: &Clock) -> String {
    let value = json!({
        "schema": "fleetlens/tree/1",
        "now": clock.now.map(|now| now.to_string()),
        "roots": forest.roots.iter().map(|root| branch_json(root, clock)).collect::<Vec<_>>(),
        "elsewhere": forest.elsewhere.iter().map(mark_json).collect::<Vec<_>>(),
        "notes": forest.notes.iter().map(|note| clean(note)).collect::<Vec<_>>(),
    });
    json_text(&value)
}

fn branch_json(branch: &TreeNode, clock: &Clock) -> Value {
    let state = &branch.state;
    let age = state.since.and_then(|since| clock.since(since));
    json!({
        "sort": branch.sort.word(),
        "name": clean(&branch.name),
        "object": object_json(branch.object.as_ref()),
        "state": clean(&state.words),
        "more": clean(&state.more),
        "mood": state.mood.word(),
        "since": state.since.map(|since| since.to_string()),
        "age_seconds": age.map(|age| age.least.as_secs()),
        "findings": branch.marks.iter().map(mark_json).collect::<Vec<_>>(),
        "children": branch.children.iter().map(|child| branch_json(child, clock)).collect::<Vec<_>>(),
    })
}

fn mark_json(mark: &TreeMark) -> Value {
    json!({ "id": mark.id, "code": mark.code, "severity": mark.severity.word() })
}
