//! [`World`]: everything that one input holds, for the rules.

use std::sync::LazyLock;

use crate::bundle::Bundle;
use crate::facts::Facts;
use crate::graph::Graph;
use crate::manifest::Repository;

/// A capture with what follows from it, or manifests; the other part is empty.
#[derive(Debug)]
pub struct World<'w> {
    facts: Facts<'w>,
    repository: &'w Repository,
}

impl<'w> World<'w> {
    /// Takes a capture.
    pub fn of_capture(graph: &'w Graph, bundle: &'w Bundle) -> Self {
        static NONE: LazyLock<Repository> = LazyLock::new(Repository::default);
        Self { facts: Facts::new(graph, bundle), repository: &NONE }
    }

    /// Takes manifests.
    pub fn of_manifests(repository: &'w Repository) -> Self {
        static NONE: LazyLock<(Graph, Bundle)> = LazyLock::new(Default::default);
        let (graph, bundle) = &*NONE;
        Self { facts: Facts::new(graph, bundle), repository }
    }

    /// Returns what follows from the capture.
    pub fn facts(&self) -> &Facts<'w> {
        &self.facts
    }

    /// Returns the manifests.
    pub fn repository(&self) -> &'w Repository {
        self.repository
    }
}
