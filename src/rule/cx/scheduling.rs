//! What a rule may ask about placements: evictions, budgets, and the namespaces of the hub.

use super::Cx;
use crate::facts::broken_override::{self, BrokenOverride};
use crate::facts::empty_selector::{self, EmptySelector};
use crate::facts::held_rollout::{self, HeldRollout};
use crate::facts::override_targets;
use crate::facts::refused_selection::{self, RefusedSelection};
use crate::facts::shortage::{self, Shortage};
use crate::grammar::kind::Kind;
use crate::model::eviction::{Budget, Eviction};
use crate::model::key::{HUB, ObjectKey};
use crate::model::meta::Meta;
use crate::model::overrides::Override;
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

    /// Returns the placements that got fewer clusters than their policy wants.
    pub fn shortages(&self) -> &'g [Shortage<'g>] {
        self.fact(shortage::READS).shortages()
    }

    /// Returns the placements whose selectors are refused.
    pub fn refused_selections(&self) -> &'g [RefusedSelection<'g>] {
        self.fact(refused_selection::READS).refused_selections()
    }

    /// Returns the selectors that match nothing.
    pub fn empty_selectors(&self) -> &'g [EmptySelector<'g>] {
        self.fact(empty_selector::READS).empty_selectors()
    }

    /// Returns the rolling updates that their budget holds back.
    pub fn held_rollouts(&self) -> &'g [HeldRollout<'g>] {
        self.fact(held_rollout::READS).held_rollouts()
    }

    /// Returns the overrides that could not be applied.
    pub fn broken_overrides(&self) -> &'g [BrokenOverride<'g>] {
        self.fact(broken_override::READS).broken_overrides()
    }

    /// Returns the placements that an override is for.
    pub fn override_targets(&self, item: &Override) -> Vec<&'g Placement> {
        override_targets::targets(self.read(Kind::Placement), item)
    }

    /// Finds a placement by its key.
    pub fn find_placement_by(&self, key: &ObjectKey) -> Option<&'g Placement> {
        self.read(Kind::Placement).placements.find(key)
    }

    /// Returns the namespaces that stand on the hub, or whose cluster the bundle does not tell.
    ///
    /// One that a Work owns is a copy on a member.
    pub fn hub_namespaces(&self) -> Vec<&'g Meta> {
        let others = self.read(Kind::Namespace).others.iter();
        let on_hub = |meta: &&std::sync::Arc<Meta>| {
            let key = &meta.key;
            let hub = &*key.cluster == HUB || key.cluster.is_empty();
            let placed = meta.owners.iter().any(|owner| &*owner.kind == "AppliedWork");
            &*key.kind == "Namespace" && hub && !placed
        };
        others.filter(on_hub).map(AsRef::as_ref).collect()
    }
}
