//! Completeness: whether an object that the bundle does not hold is proven not to exist.
//!
//! A missing object is only evidence where the bundle shows that somebody listed its kind.

use std::collections::BTreeSet;

use jiff::Timestamp;

use super::Graph;
use super::sighting::Sighting;
use crate::grammar::kind::{Kind, find_kind};
use crate::model::key::ObjectKey;
use crate::model::meta::Meta;
use crate::model::placement::Placement;
use crate::syntax::{Document, Syntax};

/// How many resource snapshots a placement keeps, unless it says otherwise (KubeFleet apis/placement/v1beta1).
const HISTORY_LIMIT: i64 = 10;

/// How much of a kind the bundle holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Listing {
    /// Nothing of the kind.
    #[default]
    None,
    /// Single objects: others may exist.
    Some,
    /// A whole list: what is not in it did not exist at capture.
    All,
}

/// The kinds of which a file has lost some text, `None` for one that it does not tell.
///
/// A list that breaks off, or out of which something is lost, proves no absence.
pub(super) struct LostText<'d>(BTreeSet<Option<&'d str>>);

impl<'d> LostText<'d> {
    pub(super) fn of(file: &'d [Document]) -> Self {
        let lost = file.iter().filter(|document| has_lost_text(document));
        Self(lost.map(|document| document.head.kind.as_deref()).collect())
    }

    /// Says whether a document of the file came in a list that shows all of its kind.
    pub(super) fn proves_absence(&self, document: &Document) -> bool {
        let kind = document.head.kind.as_deref();
        document.listed && !self.0.contains(&None) && !self.0.contains(&kind)
    }
}

fn has_lost_text(document: &Document) -> bool {
    // A row never shows the whole object; that says nothing of the rows behind it.
    document.listed && document.partial && document.syntax != Syntax::Table
        || document.problems.iter().any(|problem| problem.kind.loses_text())
}

impl Graph {
    /// Returns how much of a kind (by its name) the bundle holds in a namespace (`""` for cluster scope).
    ///
    /// A list does not say whether it was asked of one namespace or of all. It counts for the namespaces
    /// that it has objects of, and for every namespace once it has objects of two. A list that lacks what
    /// something living refers to has a hole, and proves no absence.
    pub fn listing(&self, kind: &str, namespace: &str) -> Listing {
        let Some(listed) = self.listings.get(kind) else { return Listing::None };
        let whole =
            (listed.contains(namespace) || listed.len() > 1) && !self.has_hole(kind, namespace);
        if whole { Listing::All } else { Listing::Some }
    }

    /// Says whether a member cluster has left the fleet: it is in no list of members, and nothing lives on it.
    ///
    /// Where a cluster left, the scheduler has taken its bindings back and its namespace on the hub is gone or
    /// going. That nothing lives there is known only where something was sent that would.
    pub fn has_left(&self, member: &str) -> bool {
        let placed = |placement: &Placement| !placement.clusters.is_empty();
        let witnessed = !self.bindings.as_slice().is_empty()
            || !self.works.as_slice().is_empty()
            || !self.internal_members.as_slice().is_empty()
            || self.placements.iter().any(placed);
        self.find_member(member).is_none()
            && witnessed
            && self.listing("MemberCluster", "") == Listing::All
    }

    /// Says whether a resource snapshot of a placement was pruned: it is older than all that are left, and as many
    /// are left as the placement keeps.
    pub fn is_pruned(&self, namespace: &str, placement: &str, index: &str) -> bool {
        let number = |text: &str| text.parse::<u64>().ok();
        let group = self.snapshots_of(namespace, placement);
        let left: BTreeSet<u64> =
            group.iter().filter_map(|snapshot| number(snapshot.index()?)).collect();
        let limit = self.placements.find_named(namespace, placement);
        let limit = limit.and_then(|placement| placement.history_limit);
        let limit = limit.map_or(HISTORY_LIMIT, |limit| limit.value);
        let kind = Kind::ResourceSnapshot.in_namespace(namespace);
        let oldest = left.first().copied();
        oldest.zip(number(index)).is_some_and(|(oldest, used)| used < oldest)
            && usize::try_from(limit).is_ok_and(|limit| left.len() >= limit)
            && self.listing(kind, namespace) == Listing::All
    }

    /// Says whether the bundle tells anything of a family.
    ///
    /// What a Work reports is repeated by its binding, its placement and the agent's log, the agent's
    /// heartbeat stands in both objects of a member, a placement's verdicts stand in its policy snapshot
    /// and its status copy, and pods are known by their events: these stand in for them.
    pub fn holds(&self, family: Kind) -> bool {
        self.holds_any(family)
            || match family {
                Kind::Work => {
                    [Kind::Binding, Kind::Placement].iter().any(|kind| self.holds_any(*kind))
                        || self.placements.iter().any(Placement::lists_failures)
                        || !self.workloads.as_slice().is_empty()
                        || !self.events.is_empty()
                }
                Kind::Binding => self.holds(Kind::Placement),
                Kind::Placement => {
                    !self.placements.as_slice().is_empty() || !self.implied.is_empty()
                }
                Kind::MemberCluster => self.holds_any(Kind::InternalMemberCluster),
                Kind::Pod => !self.events.is_empty() || !self.workloads.as_slice().is_empty(),
                _ => false,
            }
    }

    /// Says whether the bundle holds an object of a family, in whatever form.
    pub fn holds_any(&self, family: Kind) -> bool {
        self.listings.keys().any(|kind| find_kind(kind).is_some_and(|spec| spec.family == family))
    }

    /// Says whether the bundle holds an object of a family as the API server has it, not a row or a piece of it.
    pub fn holds_whole(&self, family: Kind) -> bool {
        self.whole.contains(&family)
    }

    /// Returns the families of which an object was sent as the API server has it.
    pub(super) fn find_whole(&self) -> BTreeSet<Kind> {
        let is_whole = |sighting: &Sighting| !sighting.meta.partial && !sighting.meta.is_manifest();
        let whole = self.sightings.iter().filter(|(_, sightings)| sightings.iter().any(is_whole));
        whole.filter_map(|(key, _)| find_kind(&key.kind)).map(|spec| spec.family).collect()
    }

    /// Says whether an object is known by rows of tables, manifests or other objects only: nothing that was sent
    /// shows what its controller says of it.
    pub fn is_hearsay(&self, key: &ObjectKey) -> bool {
        let speaks = |meta: &Meta| meta.syntax != Syntax::Table && !meta.is_manifest();
        let mut sightings = self.sightings.get(key).into_iter().flatten();
        !sightings.any(|sighting| speaks(&sighting.meta))
    }

    /// Returns the newest stamp that an object shows.
    pub fn newest_of(&self, key: &ObjectKey) -> Option<Timestamp> {
        let sightings = self.sightings.get(key).into_iter().flatten();
        sightings.filter_map(Sighting::newest).map(|(stamp, _)| stamp).max()
    }

    /// Notes that an object of a kind was seen, on its own or in a list.
    pub(super) fn note_listing(&mut self, key: &ObjectKey, listed: bool) {
        let namespaces = self.listings.entry(key.kind.clone()).or_default();
        if listed {
            namespaces.insert(key.namespace.clone());
        }
    }
}
