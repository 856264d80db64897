//! [`World`]: everything that one input holds, for the rules.

use std::sync::LazyLock;

use super::{Rule, RuleScope};
use crate::bundle::Bundle;
use crate::facts::Facts;
use crate::graph::Graph;
use crate::manifest::{Manifest, Repository};

/// A capture with what follows from it, or manifests; the other part is empty.
#[derive(Debug)]
pub struct World<'w> {
    scope: RuleScope,
    facts: Facts<'w>,
    repository: &'w Repository,
}

impl<'w> World<'w> {
    /// Takes a capture.
    pub fn of_capture(graph: &'w Graph, bundle: &'w Bundle) -> Self {
        static NONE: LazyLock<Repository> = LazyLock::new(Repository::default);
        Self { scope: RuleScope::Bundle, facts: Facts::new(graph, bundle), repository: &NONE }
    }

    /// Takes manifests.
    pub fn of_manifests(repository: &'w Repository) -> Self {
        static NONE: LazyLock<(Graph, Bundle)> = LazyLock::new(Default::default);
        let (graph, bundle) = &*NONE;
        Self { scope: RuleScope::Manifest, facts: Facts::new(graph, bundle), repository }
    }

    /// Returns the rules that are for it.
    pub fn scope(&self) -> RuleScope {
        self.scope
    }

    /// Says whether there is anything for a rule to find: without it, not even its code is loaded. In a capture it is the
    /// first kind that a rule reads, by which the others are found; among manifests any of them may be at fault.
    pub fn has_subject(&self, rule: &Rule) -> bool {
        match self.scope {
            RuleScope::Bundle => {
                let graph = self.facts.graph();
                rule.reads.first().is_none_or(|kind| graph.holds(*kind))
            }
            RuleScope::Manifest => {
                let reads = |manifest: &Manifest| {
                    manifest.family().is_some_and(|family| rule.reads.contains(&family))
                };
                rule.reads.is_empty() || self.repository.manifests.iter().any(reads)
            }
        }
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
