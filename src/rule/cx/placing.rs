//! What a rule may ask about placements: evictions, budgets, and the namespaces of the hub.

use super::Cx;
use crate::grammar::kind::Kind;
use crate::model::eviction::{Budget, Eviction};
use crate::model::key::{HUB, ObjectKey};
use crate::model::meta::Meta;
use crate::model::placement::Placement;

impl<'g> Cx<'g> {
    /// Returns all evictions.
    pub fn evictions(&self) -> &'g [Eviction] {
        self.read(Kind::Eviction).evictions.as_slice()
    }

    /// Returns all disruption budgets.
    pub fn budgets(&self) -> &'g [Budget] {
        self.read(Kind::DisruptionBudget).budgets.as_slice()
    }

    /// Returns the placements of which the bundle holds the policy snapshot alone.
    pub fn implied_placements(&self) -> &'g [Placement] {
        &self.read(Kind::PolicySnapshot).implied
    }

    /// Finds a placement by its key.
    pub fn find_placement_by(&self, key: &ObjectKey) -> Option<&'g Placement> {
        self.read(Kind::Placement).placements.find(key)
    }

    /// Returns the namespaces that stand on the hub, or whose cluster the bundle does not tell.
    ///
    /// One that a Work owns is a copy on a member.
    pub fn hub_namespaces(&self) -> Vec<&'g Meta> {
        let others = self.read(Kind::Namespace).others.as_slice().iter();
        let on_hub = |meta: &&std::sync::Arc<Meta>| {
            let key = &meta.key;
            let hub = &*key.cluster == HUB || key.cluster.is_empty();
            let placed = meta.owners.iter().any(|owner| &*owner.kind == "AppliedWork");
            &*key.kind == "Namespace" && hub && !placed
        };
        others.filter(on_hub).map(AsRef::as_ref).collect()
    }
}
