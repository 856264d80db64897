//! Which releases of KubeFleet can have written the bundle, by the wording of its messages.

use rayon::prelude::*;

use crate::facts::Facts;
use crate::grammar::message::{Version, Versions, version_bounds};
use crate::model::condition::Condition;
use crate::model::meta::Meta;

/// Returns the bounds in words, if any wording gives one.
pub(super) fn version_by_wording(facts: &Facts<'_>) -> Option<String> {
    let graph = facts.graph();
    let runs = graph.runs.as_slice().par_iter().flat_map_iter(|run| {
        let stages = run.all_stages().flat_map(|stage| &stage.conditions);
        let conditions = run.conditions.iter().chain(stages);
        conditions.filter_map(|condition| versions(facts, &run.meta, condition))
    });
    let bindings = graph.bindings.as_slice().par_iter().flat_map_iter(|binding| {
        let conditions = binding.conditions.iter();
        conditions.filter_map(|condition| versions(facts, &binding.meta, condition))
    });
    let placements = graph.placements.as_slice().par_iter().flat_map_iter(|placement| {
        let conditions = placement.conditions.iter();
        conditions.filter_map(|condition| versions(facts, &placement.meta, condition))
    });
    let seen: Vec<Versions> = runs.chain(bindings).chain(placements).collect();
    let bounds = version_bounds(seen);
    match (bounds.since, bounds.until) {
        (Some(since), Some(until)) if since == until => Some(since.to_string()),
        (Some(since), Some(until)) if since <= until => Some(format!("{since} to {until}")),
        // Objects that several releases wrote one after the other.
        (Some(since), Some(until)) => {
            Some(format!("{}, with words of {}", from(since), up_to(until)))
        }
        (Some(since), None) => Some(from(since)),
        (None, Some(until)) => Some(up_to(until)),
        (None, None) => None,
    }
}

fn versions<'g>(facts: &Facts<'g>, meta: &'g Meta, condition: &'g Condition) -> Option<Versions> {
    let hint = condition.hint(&meta.key.kind);
    let recognised = facts.messages().recognise(condition.message(), hint);
    let tells = !recognised.is_unknown() && !recognised.cut && !recognised.parts.is_empty();
    tells.then_some(recognised.versions)
}

/// Puts an upper bound into words; the oldest one says by itself that it is one.
fn up_to(until: Version) -> String {
    let until = until.to_string();
    if until.starts_with("before") { until } else { format!("{until} or older") }
}

/// Puts a lower bound into words; the main branch has no number of its own yet.
fn from(since: Version) -> String {
    if since == Version::MAIN {
        "newer than v0.3.1".to_owned()
    } else {
        format!("{since} or newer")
    }
}
