//! Copies of a failure that have lost whose they are.
//!
//! A text that was cut may still hold the words of a failure, and not the object or the cluster that they are about. Where
//! another object tells the same in the same words and in full, that is the one failure, and the copy a further witness of it.

use std::collections::{BTreeMap, HashMap};

use super::{Failure, Slot};

/// Joins each copy that is vague to the failure that is told in full, if there is one.
pub(super) fn join_vague_copies(failures: &mut BTreeMap<Slot, Failure>) {
    let vague: Vec<Slot> = failures
        .iter()
        .filter(|(_, failure)| is_vague(failure) && !failure.condition.message().is_empty())
        .map(|(slot, _)| slot.clone())
        .collect();
    if vague.is_empty() {
        return;
    }
    let mut by_words: HashMap<&str, Vec<&Slot>> = HashMap::new();
    for (slot, failure) in failures.iter().filter(|(_, failure)| !is_vague(failure)) {
        by_words.entry(failure.condition.message()).or_default().push(slot);
    }
    let original = |slot: &Slot| {
        let copy = failures.get(slot)?;
        let mut alike = by_words.get(copy.condition.message())?.iter();
        let found = alike.find(|slot| failures.get(**slot).is_some_and(|it| is_copy(copy, it)));
        found.map(|found| (slot.clone(), (*found).clone()))
    };
    let pairs: Vec<(Slot, Slot)> = vague.iter().filter_map(original).collect();
    for (copy, original) in pairs {
        let copy = failures.remove(&copy);
        if let Some((copy, original)) = copy.zip(failures.get_mut(&original)) {
            original.witnesses.extend(copy.witnesses);
        }
    }
}

/// Says whether a failure does not tell its object or its cluster.
fn is_vague(failure: &Failure) -> bool {
    failure.object.name.is_empty() || failure.cluster().is_empty()
}

/// Says whether all that is left of a failure is the same as of another.
fn is_copy(copy: &Failure, original: &Failure) -> bool {
    let (left, right) = (&copy.object, &original.object);
    let same_object = left.name.is_empty()
        || (&left.kind, &left.namespace, &left.name)
            == (&right.kind, &right.namespace, &right.name);
    let same_cluster = copy.cluster().is_empty() || copy.cluster() == original.cluster();
    let same_placement = copy.placement.is_none() || copy.placement == original.placement;
    copy.step == original.step && same_object && same_cluster && same_placement
}
