//! Objects that were deleted and created again: sightings of one name that cannot be one object.
//!
//! A paste may show two runs of one name, one after the other: the first failed, was deleted and made
//! again. Fragments carry no uid, but a run that failed to initialize is never initialized later, and one
//! that has ended never moves on.

use std::sync::Arc;

use super::merge_sightings::complete;
use super::sighting::Sighting;
use crate::grammar::kind::{Kind, find_kind};
use crate::model::condition::Condition;
use crate::model::meta::Meta;
use crate::model::run::Run;
use crate::syntax::Syntax;

/// Returns the best sighting of each life, of sightings that are sorted best first.
pub(super) fn best_of_lives(sightings: &[Sighting]) -> Vec<Arc<Meta>> {
    let Some(first) = sightings.first() else { return Vec::new() };
    // Fragments without a name cannot be told to be the same object: each stands for itself.
    if first.meta.key.name.is_empty() {
        return sightings.iter().map(|sighting| Arc::clone(&sighting.meta)).collect();
    }
    let is_run = find_kind(&first.meta.key.kind).is_some_and(|spec| spec.family == Kind::Run);
    if !is_run || !(first.meta.partial || first.meta.is_manifest()) {
        return complete(sightings).into_iter().collect();
    }
    let mut lives: Vec<Run> = Vec::new();
    for sighting in sightings {
        let run = Run::read(Arc::clone(&sighting.meta));
        let row = sighting.meta.syntax == Syntax::Table;
        if lives.is_empty() || (!row && lives.iter().all(|life| excludes(life, &run))) {
            lives.push(run);
        }
    }
    if lives.len() == 1 {
        return complete(sightings).into_iter().collect();
    }
    lives.into_iter().map(|life| life.meta).collect()
}

/// Says whether two sightings cannot be the same run.
fn excludes(left: &Run, right: &Run) -> bool {
    let initialized = |run: &Run| run.condition("Initialized").map(Condition::is_true);
    if let (Some(left), Some(right)) = (initialized(left), initialized(right))
        && left != right
    {
        return true;
    }
    // A run is initialized once: two moments are two runs of one name.
    let done = |run: &Run| {
        let initialized = run.condition("Initialized").filter(|it| it.is_true())?;
        initialized.since.map(|since| since.value)
    };
    if let (Some(left), Some(right)) = (done(left), done(right))
        && left != right
    {
        return true;
    }
    match (left.failure(), right.failure()) {
        // A row fails without a word.
        (Some(left), Some(right)) => {
            let told = !left.message().is_empty() && !right.message().is_empty();
            told && left.message() != right.message()
        }
        (Some(ended), None) => moved_on(ended, right),
        (None, Some(ended)) => moved_on(ended, left),
        (None, None) => false,
    }
}

/// Says whether a run shows a stamp later than the end of the other.
fn moved_on(ended: &Condition, open: &Run) -> bool {
    let last = open
        .conditions
        .iter()
        .filter_map(|condition| condition.since)
        .map(|since| since.value)
        .max();
    ended.since.zip(last).is_some_and(|(ended, last)| last > ended.value)
}
