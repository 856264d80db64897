//! Blocked rollouts: the first condition of a placement on a cluster that is False.
//!
//! The steps come in a fixed order and the first that is False tells where it stands. The binding is
//! asked first; the placement's own copy counts only where the binding was not sent.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use super::failure::FailureSource;
use super::messages::Messages;
use crate::grammar::kind::Kind;
use crate::grammar::message::{MessageId, id};
use crate::graph::Graph;
use crate::model::binding::{Binding, CHAIN};
use crate::model::condition::Condition;
use crate::model::key::ObjectKey;
use crate::model::parsed_message::{ParsedMessage, Phrase};
use crate::model::placement::{PerCluster, Placement};
use crate::source::Span;

/// The binding, and its copy in the placement.
pub const READS: &[Kind] = &[Kind::Binding, Kind::Placement];

/// A placement that is not done on a cluster, and the step at which it stopped.
#[derive(Clone, Debug)]
pub struct BlockedRollout {
    /// The placement.
    pub placement: ObjectKey,
    /// The cluster.
    pub cluster: SmolStr,
    /// The first condition of the chain that is False.
    pub condition: Condition,
    /// Its message, taken apart.
    pub said: Option<ParsedMessage>,
    /// Whether resources are listed that failed.
    pub lists_failures: bool,
    /// Where it stands, the freshest first.
    pub witnesses: Vec<FailureSource>,
}

impl BlockedRollout {
    /// Finds a phrase of its message by the names of templates.
    pub fn find(&self, ids: &[MessageId]) -> Option<Phrase<'_>> {
        self.said.as_ref().and_then(|said| said.find(ids))
    }

    /// Finds the phrase that refuses what an envelope holds.
    pub fn find_refused_envelope(&self) -> Option<Phrase<'_>> {
        self.find(&[
            id::BINDING_WORKSYNC_FALSE_ENV_NSINCLUSTER,
            id::BINDING_WORKSYNC_FALSE_ENV_CLINNS,
            id::BINDING_WORKSYNC_FALSE_ENV_OTHERNS,
            id::BINDING_WORKSYNC_FALSE_ENV_PARSE,
            id::OLD_B_CMPARSE,
            id::OLD_B_CMNS,
        ])
    }
}

/// A placement on a cluster; pieces that name neither are told apart by where they stand.
type Slot = (ObjectKey, SmolStr, Option<Span>);

fn slot(placement: &ObjectKey, cluster: &str, span: Span) -> Slot {
    let nameless = placement.name.is_empty() || cluster.is_empty();
    (placement.clone(), cluster.into(), nameless.then_some(span))
}

/// Collects the blocked rollouts of a bundle.
pub(super) fn find_blocked_rollouts<'g>(
    graph: &'g Graph,
    messages: &Messages<'g>,
) -> Vec<BlockedRollout> {
    let mut found: BTreeMap<Slot, Option<BlockedRollout>> = BTreeMap::new();
    for binding in graph.bindings.iter().filter(|binding| binding.is_identified()) {
        if binding.conditions.is_empty() {
            continue;
        }
        let placement = binding.placement_or_unnamed();
        let slot = slot(&placement, binding.cluster(), binding.meta.span);
        let blocked = blocked_by_binding(binding, &placement, messages);
        // A binding that goes away may stand beside its successor: the living one speaks.
        let known = found.entry(slot).or_default();
        *known = known.take().or(blocked);
    }
    for placement in &graph.placements {
        for cluster in placement.clusters.iter().filter(|cluster| !cluster.name().is_empty()) {
            let Some(blocked) = blocked_by_copy(placement, cluster, messages) else { continue };
            let slot = slot(&placement.meta.key, cluster.name(), placement.meta.span);
            match found.get_mut(&slot) {
                Some(Some(known)) if *known.condition.kind == *blocked.condition.kind => {
                    known.witnesses.extend(blocked.witnesses);
                }
                Some(_) => {}
                None => {
                    found.insert(slot, Some(blocked));
                }
            }
        }
    }
    found.into_values().flatten().collect()
}

fn blocked_by_binding<'g>(
    binding: &'g Binding,
    placement: &ObjectKey,
    messages: &Messages<'g>,
) -> Option<BlockedRollout> {
    let gone = binding.meta.deleting.is_some() || binding.state.as_deref() == Some("Unscheduled");
    let condition = binding.first_failing().filter(|_| !gone)?;
    Some(BlockedRollout {
        placement: placement.clone(),
        cluster: binding.cluster().into(),
        said: messages.of_condition(condition, &binding.meta.key.kind),
        condition: condition.clone(),
        lists_failures: !binding.failed.is_empty(),
        witnesses: vec![FailureSource {
            key: binding.meta.key.clone(),
            span: condition.best_span(),
        }],
    })
}

fn blocked_by_copy<'g>(
    placement: &Placement,
    cluster: &'g PerCluster,
    messages: &Messages<'g>,
) -> Option<BlockedRollout> {
    let chain = CHAIN.iter().chain(&["DiffReported"]);
    let condition =
        chain.filter_map(|kind| cluster.condition(kind)).find(|condition| condition.is_false())?;
    let key = &placement.meta.key;
    // The copy carries the words of the binding.
    let kind = Kind::Binding.in_namespace(&key.namespace);
    Some(BlockedRollout {
        placement: key.clone(),
        cluster: cluster.name().into(),
        said: messages.of_condition(condition, kind),
        condition: condition.clone(),
        lists_failures: !cluster.failed.is_empty(),
        witnesses: vec![FailureSource { key: key.clone(), span: condition.best_span() }],
    })
}
