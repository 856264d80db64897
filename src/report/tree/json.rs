//! The tree for programs, schema `fleetlens/tree/1`: additions only.

use serde_json::{Value, json};

use crate::engine::tree::{Branch, Forest, Mark};
use crate::graph::Clock;
use crate::report::clean;
use crate::report::json::object_json;

/// Renders the trees as one JSON object.
pub fn render_json(forest: &Forest, clock: &Clock) -> String {
    let value = json!({
        "schema": "fleetlens/tree/1",
        "now": clock.now.map(|now| now.to_string()),
        "roots": forest.roots.iter().map(|root| branch_json(root, clock)).collect::<Vec<_>>(),
        "elsewhere": forest.elsewhere.iter().map(mark_json).collect::<Vec<_>>(),
        "notes": forest.notes.iter().map(|note| clean(note)).collect::<Vec<_>>(),
    });
    let mut text =
        serde_json::to_string_pretty(&value).expect("a value of strings and numbers prints");
    text.push('\n');
    text
}

fn branch_json(branch: &Branch, clock: &Clock) -> Value {
    let state = &branch.state;
    let age = state.since.and_then(|since| clock.since(since));
    json!({
        "sort": branch.sort.word(),
        "name": clean(&branch.name),
        "object": object_json(branch.object.as_ref()),
        "state": clean(&state.words),
        "mood": state.mood.word(),
        "since": state.since.map(|since| since.to_string()),
        "age_seconds": age.map(|age| age.as_secs()),
        "findings": branch.marks.iter().map(mark_json).collect::<Vec<_>>(),
        "children": branch.children.iter().map(|child| branch_json(child, clock)).collect::<Vec<_>>(),
    })
}

fn mark_json(mark: &Mark) -> Value {
    json!({ "id": mark.id, "code": mark.code, "severity": mark.severity.word() })
}
