//! Overrides that could not be applied: which one, to what, on which clusters, by which patch.
//!
//! The binding names the snapshot of the override (older releases give the bare patch error). What to
//! correct is the override itself, so that is where findings point; the snapshot stands in for it.

use std::collections::BTreeMap;

use super::blocked_rollout::BlockedRollout;
use crate::grammar::kind::Kind;
use crate::grammar::message::{MessageId, id};
use crate::graph::Graph;
use crate::model::overrides::{Override, Patch};
use crate::model::parsed_message::Phrase;
use crate::source::Span;

/// The conditions that blame an override, and the overrides themselves.
pub const READS: &[Kind] =
    &[Kind::Binding, Kind::Placement, Kind::Override, Kind::OverrideSnapshot];

/// An override that fails on an object, on one or more clusters.
#[derive(Debug)]
pub struct BrokenOverride<'g> {
    /// The placements and clusters that wait for it.
    pub stalls: Vec<&'g BlockedRollout>,
    /// The name of the override or its snapshot, as far as the message tells.
    pub snapshot: Option<&'g str>,
    /// The override.
    pub source: Option<&'g Override>,
    /// The object that it does not fit: `Service "idp" in namespace "identity"`.
    pub object: Option<&'g str>,
    /// The path of the patch.
    pub path: Option<&'g str>,
    /// The patch.
    pub patch: Option<&'g Patch>,
    /// The words about what is wrong.
    pub core: Phrase<'g>,
}

const FAILED: [MessageId; 2] = [id::BINDING_OVERRIDDEN_FALSE_CRO, id::BINDING_OVERRIDDEN_FALSE_RO];
const PATCHES: [MessageId; 7] = [
    id::JSONPATCH_ADD_MISSING,
    id::JSONPATCH_REPLACE_PATH,
    id::JSONPATCH_REPLACE_KEY,
    id::JSONPATCH_REMOVE_PATH,
    id::JSONPATCH_REMOVE_KEY,
    id::JSONPATCH_ADD_INDEX,
    id::JSONPATCH_REMOVE_INDEX,
];
/// The cluster lacks a label that a patch uses.
pub const LABEL: [MessageId; 1] = [id::OVERRIDE_LABEL];
/// Other words about overrides.
const OTHER: [MessageId; 8] = [
    id::OVERRIDE_PATCH,
    id::OVERRIDE_ENVELOPE,
    id::OVERRIDE_BRACKET,
    id::JSONPATCH_TEST,
    id::BINDING_OVERRIDDEN_FALSE_CROSNAP,
    id::BINDING_OVERRIDDEN_FALSE_ROSNAP,
    id::OLD_B_CROSNAP,
    id::OLD_B_ROSNAP,
];
/// Not an override at all: the resource snapshot is gone.
const MISLABELLED: [MessageId; 1] = [id::BINDING_OVERRIDDEN_FALSE_MASTER];

/// Returns what broke, the same on several clusters once.
pub(super) fn find_broken_overrides<'g>(
    graph: &'g Graph,
    blocked: &'g [BlockedRollout],
) -> Vec<BrokenOverride<'g>> {
    let mut groups: BTreeMap<_, Vec<&'g BlockedRollout>> = BTreeMap::new();
    let failed = blocked.iter().filter(|stall| &*stall.condition.kind == "Overridden");
    for stall in failed.filter(|stall| stall.find(&MISLABELLED).is_none()) {
        groups.entry((&stall.placement, stall.condition.message())).or_default().push(stall);
    }
    groups.into_values().filter_map(|stalls| read(graph, stalls)).collect()
}

fn read<'g>(graph: &'g Graph, stalls: Vec<&'g BlockedRollout>) -> Option<BrokenOverride<'g>> {
    let first: &'g BlockedRollout = stalls.first()?;
    let failed = first.find(&FAILED);
    let patch_error = first.find(&PATCHES);
    let core =
        patch_error.or_else(|| first.find(&LABEL)).or_else(|| first.said.as_ref()?.core())?;
    let path = patch_error.and_then(|phrase| phrase.get("field"));
    let snapshot = failed.and_then(|phrase| phrase.get("override-snapshot"));
    let name = snapshot.map(|name| name.rsplit('/').next().unwrap_or(name));
    let candidates = candidates(graph, name, path);
    let fitting = candidates.iter().find_map(|source| Some((*source, find_patch(source, path?)?)));
    let source = fitting.map(|(source, _)| source).or_else(|| {
        // Without the name only the path can tell which override it is.
        name.and(candidates.first().copied())
    });
    Some(BrokenOverride {
        snapshot: name,
        source,
        object: failed.and_then(|phrase| phrase.get("object")),
        path,
        patch: fitting.map(|(_, patch)| patch),
        core,
        stalls,
    })
}

/// Returns the overrides that may be meant, the overrides themselves before their snapshots.
fn candidates<'g>(
    graph: &'g Graph,
    snapshot: Option<&str>,
    path: Option<&str>,
) -> Vec<&'g Override> {
    let snapshots = graph.override_snapshots.as_slice();
    let Some(name) = snapshot else {
        let all = graph.overrides.iter().chain(snapshots);
        return all
            .filter(|one| path.is_some_and(|path| find_patch(one, path).is_some()))
            .collect();
    };
    let taken = snapshots.iter().find(|one| one.meta.name() == name);
    let parent = taken.map(|one| one.override_name());
    // A snapshot is called after its override and a number.
    let parent = parent.or_else(|| name.rsplit_once('-').map(|(parent, _)| parent));
    let own = graph.overrides.iter().filter(|one| Some(one.meta.name()) == parent);
    own.chain(taken).collect()
}

fn find_patch<'g>(source: &'g Override, path: &str) -> Option<&'g Patch> {
    let mut patches = source.rules.iter().flat_map(|rule| &rule.patches);
    patches.find(|patch| patch.path.as_deref() == Some(path))
}

impl BrokenOverride<'_> {
    /// Says whether the words are about an override at all; the condition stands for other failures too.
    pub fn is_known(&self) -> bool {
        let first = self.stalls.first();
        let found = |ids: &[MessageId]| first.is_some_and(|stall| stall.find(ids).is_some());
        found(&FAILED) || found(&PATCHES) || found(&LABEL) || found(&OTHER)
    }

    /// Returns the place of the patch's path.
    pub fn patch_place(&self) -> Option<Span> {
        self.patch.and_then(|patch| patch.path.as_ref()).map(|path| path.span)
    }

    /// Says whether a namespace was selected and another object in it is hit.
    pub fn is_cascade(&self) -> bool {
        let namespaces_only = self.source.is_some_and(|source| {
            !source.selectors.is_empty()
                && source.selectors.iter().all(|one| one.kind.as_deref() == Some("Namespace"))
        });
        namespaces_only && self.object.is_some_and(|object| !object.starts_with("Namespace "))
    }
}
