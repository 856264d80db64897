//! [`Draft`]: a typed object of the files, beside the manifest it was read from.

use std::ops::Deref;

use super::{Manifest, Repository, Role};
use crate::model::object::Typed;
use crate::model::strategy::Strategy;
use crate::model::{placement::Placement, run::Run};

/// An object as the API server would store it. What is particular to a manifest (its role, its fixes, the
/// server's rules for its version, the object it replaces) is asked of [`Draft::manifest`].
#[derive(Debug)]
pub struct Draft<'r, T> {
    /// The manifest.
    pub manifest: &'r Manifest,
    /// The object, the same type as in a capture.
    pub object: &'r T,
}

impl<T> Clone for Draft<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Draft<'_, T> {}

impl<T> Deref for Draft<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.object
    }
}

impl<'r, T: Typed> Draft<'r, T> {
    /// Takes a manifest as an object of a family.
    pub fn of(manifest: &'r Manifest) -> Option<Self> {
        Some(Self { manifest, object: T::of(&manifest.object)? })
    }

    /// Returns the stored object that it replaces.
    pub fn before(&self) -> Option<&'r T> {
        self.manifest.before.as_ref().and_then(|before| T::of(&before.object))
    }

    /// Returns its name.
    pub fn name(&self) -> &'r str {
        self.manifest.name()
    }

    /// Says whether it is to be judged, and not only there to look things up in.
    pub fn is_judged(&self) -> bool {
        self.manifest.role == Role::Judged
    }

    /// Says whether it does not exist yet, as far as is known.
    pub fn is_new(&self) -> bool {
        self.manifest.before.is_none()
    }
}

impl Repository {
    /// Returns all objects of a family that will be there, judged or not.
    pub fn all<'r, T: Typed + 'r>(&'r self) -> impl Iterator<Item = Draft<'r, T>> {
        self.present().filter_map(Draft::of)
    }

    /// Finds the placement that a run names, in the run's own scope.
    pub fn placement_of(&self, run: Draft<'_, Run>) -> Option<Draft<'_, Placement>> {
        let kind = if run.manifest.is_cluster_scoped() {
            "ClusterResourcePlacement"
        } else {
            "ResourcePlacement"
        };
        self.find_typed(kind, &run.manifest.key.namespace, run.placement.as_deref()?)
    }

    /// Finds the strategy that a run names, in the run's own scope.
    pub fn strategy_of(&self, run: Draft<'_, Run>) -> Option<Draft<'_, Strategy>> {
        let kind = if run.manifest.is_cluster_scoped() {
            "ClusterStagedUpdateStrategy"
        } else {
            "StagedUpdateStrategy"
        };
        self.find_typed(kind, &run.manifest.key.namespace, run.strategy.as_deref()?)
    }

    fn find_typed<T: Typed>(
        &self,
        kind: &str,
        namespace: &str,
        name: &str,
    ) -> Option<Draft<'_, T>> {
        self.find(kind, namespace, name).and_then(Draft::of)
    }
}
