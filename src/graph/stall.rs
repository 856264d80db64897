//! Stalls: the step at which a placement does not get on with a cluster.
//!
//! The steps come in a fixed order and the first that is False tells where it stands. The binding is
//! asked first; the placement's own copy counts only where the binding was not sent.

use std::collections::BTreeMap;

use super::Graph;
use super::failure::Witness;
use crate::model::binding::{Binding, CHAIN};
use crate::model::condition::Condition;
use crate::model::key::ObjectKey;
use crate::model::placement::{PerCluster, Placement};
use crate::model::said::{Phrase, Said};

/// A placement that does not get on with a cluster.
#[derive(Clone, Debug)]
pub struct Stall {
    /// The placement.
    pub placement: ObjectKey,
    /// The cluster.
    pub cluster: Box<str>,
    /// The first condition of the chain that is False.
    pub condition: Condition,
    /// Its message, taken apart.
    pub said: Option<Said>,
    /// Whether resources are listed that failed.
    pub lists_failures: bool,
    /// Where it stands, the freshest first.
    pub witnesses: Vec<Witness>,
}

impl Stall {
    /// Finds a phrase of its message by the names of templates.
    pub fn find(&self, ids: &[&str]) -> Option<Phrase<'_>> {
        self.said.as_ref().and_then(|said| said.find(ids))
    }
}

/// Collects the stalls of a bundle.
pub(super) fn find_stalls(graph: &Graph) -> Vec<Stall> {
    let mut stalls: BTreeMap<(ObjectKey, Box<str>), Option<Stall>> = BTreeMap::new();
    for binding in graph.bindings.as_slice() {
        let Some(placement) = binding.placement_key() else { continue };
        let slot = (placement.clone(), Box::<str>::from(binding.cluster()));
        if binding.conditions.is_empty() || slot.1.is_empty() {
            continue;
        }
        let stall = stall_of_binding(binding, &placement);
        // A binding that goes away may stand beside its successor: the living one speaks.
        let known = stalls.entry(slot).or_default();
        *known = known.take().or(stall);
    }
    for placement in graph.placements.as_slice() {
        for cluster in placement.clusters.iter().filter(|cluster| !cluster.name().is_empty()) {
            let Some(stall) = stall_of_cluster(placement, cluster) else { continue };
            let slot = (placement.meta.key.clone(), Box::from(cluster.name()));
            match stalls.get_mut(&slot) {
                Some(Some(known)) if *known.condition.kind == *stall.condition.kind => {
                    known.witnesses.extend(stall.witnesses);
                }
                Some(_) => {}
                None => {
                    stalls.insert(slot, Some(stall));
                }
            }
        }
    }
    stalls.into_values().flatten().collect()
}

fn stall_of_binding(binding: &Binding, placement: &ObjectKey) -> Option<Stall> {
    let gone = binding.meta.deleting.is_some() || binding.state.as_deref() == Some("Unscheduled");
    let condition = binding.first_failing().filter(|_| !gone)?;
    Some(Stall {
        placement: placement.clone(),
        cluster: binding.cluster().into(),
        said: Said::of(condition, &binding.meta.key.kind),
        condition: condition.clone(),
        lists_failures: !binding.failed.is_empty(),
        witnesses: vec![Witness { key: binding.meta.key.clone(), span: condition.best_span() }],
    })
}

fn stall_of_cluster(placement: &Placement, cluster: &PerCluster) -> Option<Stall> {
    let chain = CHAIN.iter().chain(&["DiffReported"]);
    let condition =
        chain.filter_map(|kind| cluster.condition(kind)).find(|condition| condition.is_false())?;
    let key = &placement.meta.key;
    // The copy carries the words of the binding.
    let kind = if key.namespace.is_empty() { "ClusterResourceBinding" } else { "ResourceBinding" };
    Some(Stall {
        placement: key.clone(),
        cluster: cluster.name().into(),
        said: Said::of(condition, kind),
        condition: condition.clone(),
        lists_failures: !cluster.failed.is_empty(),
        witnesses: vec![Witness { key: key.clone(), span: condition.best_span() }],
    })
}
