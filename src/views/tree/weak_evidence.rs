//! Weak evidence of where an object comes from, if no Work and no status carries it: AppliedWorks and selectors.
//!
//! An AppliedWork lists what its Work put on the member; a selector tells what a placement would take.
//! Invariant: a selector proves only that the placement selects the object, never that it was sent.

use super::provenance::ObjectQuery;
use crate::graph::{Graph, HasMeta};
use crate::model::applied_work::AppliedWork;
use crate::model::key::{HUB, ObjectKey};
use crate::model::meta::Meta;
use crate::model::placement::{Placement, ResourceId, ResourceSelector};

/// Returns the AppliedWorks that list an object, with its key on the member.
pub(super) fn applied<'g>(
    graph: &'g Graph,
    wanted: &ObjectQuery,
) -> Vec<(ObjectKey, &'g AppliedWork)> {
    let listed = graph.applied_works.iter().flat_map(|applied| {
        let keys = applied.resources.iter().map(|id| key_of(&applied.meta, id));
        keys.map(move |key| (key, applied))
    });
    let mut found: Vec<_> = listed.filter(|(key, _)| wanted.is(key)).collect();
    found.dedup_by(|one, other| one.0 == other.0 && one.1.key() == other.1.key());
    found
}

/// Returns the placements whose selectors take an object, with the object's key on the hub.
pub(super) fn selecting<'g>(
    graph: &'g Graph,
    wanted: &ObjectQuery,
) -> Vec<(ObjectKey, &'g Placement)> {
    let seen = graph.sightings.iter().filter(|(key, _)| wanted.is(key));
    let seen: Vec<&Meta> =
        seen.filter_map(|(_, sightings)| Some(&*sightings.first()?.meta)).collect();
    let placements = graph.placements.iter();
    let living = placements.filter(|placement| placement.meta.deleting.is_none());
    let found = living.filter_map(|placement| {
        let mut selectors = placement.selectors.iter();
        let key =
            selectors.find_map(|selector| selected(graph, placement, selector, wanted, &seen))?;
        Some((key, placement))
    });
    found.collect()
}

fn selected(
    graph: &Graph,
    placement: &Placement,
    selector: &ResourceSelector,
    wanted: &ObjectQuery,
    seen: &[&Meta],
) -> Option<ObjectKey> {
    let kind = selector.kind.as_deref()?;
    let own = placement.meta.namespace();
    let mut keys: Vec<ObjectKey> =
        seen.iter().map(|meta| ObjectKey { cluster: HUB.into(), ..meta.key.clone() }).collect();
    // An object that was not captured is known by its question.
    keys.push(wanted.key_in(own));
    keys.into_iter().find(|key| {
        let direct = kind.eq_ignore_ascii_case(&key.kind) && *key.namespace == *own;
        let by_namespace = kind == "Namespace"
            && own.is_empty()
            && selector.scope.as_deref() != Some("NamespaceOnly")
            && !key.namespace.is_empty();
        (direct && names(graph, selector, key, &key.kind))
            || (by_namespace && names(graph, selector, key, kind))
    })
}

/// Says whether a selector names an object (or, for a namespace selector, the object's namespace).
fn names(graph: &Graph, selector: &ResourceSelector, key: &ObjectKey, kind: &str) -> bool {
    let is_own = kind == &*key.kind;
    let name = if is_own { &key.name } else { &key.namespace };
    if let Some(wanted) = &selector.name {
        return **wanted == **name;
    }
    let Some(labels) = &selector.labels else { return true };
    let namespace = if is_own { &*key.namespace } else { "" };
    let on_hub = [HUB, ""].iter().filter_map(|cluster| {
        let key = ObjectKey {
            cluster: (*cluster).into(),
            kind: kind.into(),
            namespace: namespace.into(),
            name: name.clone(),
        };
        graph.sightings.get(&key)?.first()
    });
    on_hub.into_iter().any(|sighting| labels.matches(&sighting.meta.labels))
}

fn key_of(meta: &Meta, id: &ResourceId) -> ObjectKey {
    let text = |text: &Option<crate::model::read::Text>| text.as_deref().unwrap_or_default().into();
    ObjectKey {
        cluster: meta.key.cluster.clone(),
        kind: text(&id.kind),
        namespace: text(&id.namespace),
        name: text(&id.name),
    }
}
