//! One object of several sightings, where none shows all of it.
//!
//! "I applied this, and got this": the manifest has the spec, what was pasted below it the status. A piece of the
//! status has the words, the row of a table the placement.
//! Invariant: a part that the best sighting shows is never replaced, and a whole object is left alone.

use std::sync::Arc;

use super::sighting::Sighting;
use crate::model::meta::Meta;
use crate::syntax::tree::{Fidelity, Node, Value};

/// The parts of an object that stand for themselves.
const PARTS: [&str; 3] = ["metadata", "spec", "status"];

/// Returns the best sighting with the parts that it does not show taken from the others, best first.
pub(super) fn complete(sightings: &[Sighting]) -> Option<Arc<Meta>> {
    let (best, others) = sightings.split_first()?;
    if !best.meta.partial && !best.meta.is_manifest() {
        return Some(Arc::clone(&best.meta));
    }
    let others: Vec<&Arc<Meta>> = others.iter().map(|sighting| &sighting.meta).collect();
    Some(graft(&best.meta, &others))
}

/// Returns an object with the parts that it does not show taken from others, best first.
pub(super) fn graft(best: &Arc<Meta>, others: &[&Arc<Meta>]) -> Arc<Meta> {
    let mut root = Node::clone(&best.root);
    let Value::Map(entries) = &mut root.value else { return Arc::clone(best) };
    let mut changed = false;
    for part in PARTS {
        let shown = entries.iter().position(|entry| &*entry.key == part);
        let told = |node: &Node| node.entries().iter().all(|entry| is_told(&entry.node));
        if shown.and_then(|at| entries.get(at)).is_some_and(|entry| !told(&entry.node)) {
            continue;
        }
        let Some(found) = others.iter().find_map(|other| other.root.entry(part)) else { continue };
        shown.into_iter().for_each(|at| drop(entries.remove(at)));
        entries.push(found.clone());
        changed = true;
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

/// Says whether a value was concluded and not written there.
fn is_told(node: &Node) -> bool {
    node.fidelity == Fidelity::Inferred
}
