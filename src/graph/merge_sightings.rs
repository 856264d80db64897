//! Merges several sightings of one object, field by field, where none of them is complete.
//!
//! "I applied this, and got this": the manifest has the spec, what was pasted below it the status. A piece of the
//! status has the words, the row of a table the placement. They are merged field by field; every value keeps the
//! place where it was read.
//! Invariant: what the best sighting shows is never replaced, and a whole object is left alone.

use std::sync::Arc;

use super::sighting::Sighting;
use crate::model::meta::Meta;
use crate::syntax::tree::{Entry, Fidelity, Node, Value};

/// The parts of an object that stand for themselves.
const PARTS: [&str; 3] = ["metadata", "spec", "status"];

/// By which field the items of a list are told apart; a list of anything else is one value.
const NAMES: [&str; 3] = ["type", "stageName", "clusterName"];

/// Returns the best sighting with what it does not show taken from the others, best first.
pub(super) fn complete(sightings: &[Sighting]) -> Option<Arc<Meta>> {
    let (best, others) = sightings.split_first()?;
    if !best.meta.partial && !best.meta.is_manifest() {
        return Some(Arc::clone(&best.meta));
    }
    let others: Vec<&Arc<Meta>> = others.iter().map(|sighting| &sighting.meta).collect();
    Some(merge_into_best(&best.meta, &others))
}

/// Returns an object with what it does not show taken from others, best first.
pub(super) fn merge_into_best(best: &Arc<Meta>, others: &[&Arc<Meta>]) -> Arc<Meta> {
    let mut root = Node::clone(&best.root);
    let Value::Map(entries) = &mut root.value else { return Arc::clone(best) };
    let mut changed = false;
    for other in others.iter().filter(|other| is_same_state(best, other)) {
        for part in PARTS {
            let Some(found) = other.root.entry(part) else { continue };
            changed |= take(entries, found);
        }
    }
    // What only a table or a describer shows stands beside the parts.
    let of_print = |key: &str| key == "events" || key.starts_with("x-");
    for entry in others.iter().flat_map(|other| other.root.entries()) {
        if of_print(&entry.key) && !entries.iter().any(|known| known.key == entry.key) {
            entries.push(entry.clone());
            changed = true;
        }
    }
    if !changed {
        return Arc::clone(best);
    }
    Arc::new(Meta::read(best.key.clone(), best.span, best.syntax, true, Arc::new(root)))
}

/// Says whether two sightings can show one object with one spec: another uid or generation is another state.
fn is_same_state(left: &Meta, right: &Meta) -> bool {
    let uid = |meta: &Meta| meta.uid.as_ref().map(|uid| uid.value.clone());
    let agree = uid(left).zip(uid(right)).is_none_or(|(left, right)| left == right);
    let generations = left.generation().zip(right.generation());
    agree && generations.is_none_or(|(left, right)| left == right)
}

/// Adds to a map what an entry of another sighting shows besides.
fn take(entries: &mut Vec<Entry>, found: &Entry) -> bool {
    let Some(at) = entries.iter().position(|entry| entry.key == found.key) else {
        entries.push(found.clone());
        return true;
    };
    match entries.get_mut(at) {
        Some(shown) if is_concluded(&shown.node) && !is_concluded(&found.node) => {
            *shown = found.clone();
            true
        }
        Some(shown) => merge(&mut shown.node, &found.node),
        None => false,
    }
}

fn merge(shown: &mut Node, found: &Node) -> bool {
    let mut changed = false;
    match (&mut shown.value, &found.value) {
        (Value::Map(entries), Value::Map(others)) => {
            for other in others {
                changed |= take(entries, other);
            }
        }
        (Value::List(items), Value::List(others)) => {
            for other in others {
                let Some((key, name)) = name_of(other) else { continue };
                let same = |item: &&mut Node| item.get(key).and_then(Node::as_str) == Some(name);
                match items.iter_mut().find(same) {
                    Some(item) if is_one_word(item, other) => changed |= merge(item, other),
                    Some(_) => {}
                    None => {
                        items.push(other.clone());
                        changed = true;
                    }
                }
            }
        }
        _ => {}
    }
    changed
}

/// Returns the field that tells an item of a list from the others, and its value.
fn name_of(item: &Node) -> Option<(&'static str, &str)> {
    NAMES.into_iter().find_map(|key| Some((key, item.get(key)?.as_str()?)))
}

/// Says whether two items say the same; a condition that has changed its mind speaks of another moment.
fn is_one_word(left: &Node, right: &Node) -> bool {
    ["status", "reason", "lastTransitionTime"].iter().all(|key| {
        let text = |item: &'_ Node| item.get(key).and_then(Node::as_str).map(str::to_owned);
        text(left).zip(text(right)).is_none_or(|(left, right)| left == right)
    })
}

/// Says whether a value was concluded, with all that is in it, and not written there.
fn is_concluded(node: &Node) -> bool {
    match &node.value {
        Value::Map(entries) if !entries.is_empty() => {
            entries.iter().all(|entry| is_concluded(&entry.node))
        }
        Value::List(items) if !items.is_empty() => items.iter().all(is_concluded),
        _ => node.fidelity == Fidelity::Inferred,
    }
}
