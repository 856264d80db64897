//! What the wording of a bundle says about the controllers' version.

use crate::grammar::message::{Hint, Version, Versions, recognise, version_bounds};
use crate::graph::Graph;
use crate::model::condition::Condition;

/// Returns the bounds in words, if any wording gives one.
pub(super) fn version_by_wording(graph: &Graph) -> Option<String> {
    let mut seen: Vec<Versions> = Vec::new();
    let mut look = |kind: &str, conditions: &[Condition]| {
        for condition in conditions {
            let hint = Hint {
                condition_type: Some(&condition.kind),
                reason: condition.reason.as_deref(),
                kind: Some(kind),
            };
            let recognised = recognise(condition.message(), &hint);
            if !recognised.is_unknown() && !recognised.cut && !recognised.parts.is_empty() {
                seen.push(recognised.versions);
            }
        }
    };
    for run in graph.runs.as_slice() {
        look(&run.meta.key.kind, &run.conditions);
        run.all_stages().for_each(|stage| look(&run.meta.key.kind, &stage.conditions));
    }
    for binding in graph.bindings.as_slice() {
        look(&binding.meta.key.kind, &binding.conditions);
    }
    for placement in graph.placements.as_slice() {
        look(&placement.meta.key.kind, &placement.conditions);
    }
    let bounds = version_bounds(seen);
    match (bounds.since, bounds.until) {
        (Some(since), Some(until)) if since <= until => Some(format!("{since} to {until}")),
        // Objects that several releases wrote one after the other.
        (Some(since), Some(until)) => {
            Some(format!("{}, with words of {until} or older", from(since)))
        }
        (Some(since), None) => Some(from(since)),
        (None, Some(until)) => Some(format!("{until} or older")),
        (None, None) => None,
    }
}

/// Puts a lower bound into words; the main branch has no number of its own yet.
fn from(since: Version) -> String {
    if since == Version::MAIN {
        "newer than v0.3.1".to_owned()
    } else {
        format!("{since} or newer")
    }
}
