//! Resource quotas.

use std::sync::Arc;

use super::meta::Meta;
use super::read::{Pair, Text, find_pair, read_pairs};

/// A ResourceQuota.
#[derive(Clone, Debug)]
pub struct Quota {
    /// Identity and metadata.
    pub meta: Arc<Meta>,
    /// `spec.hard`.
    pub hard: Vec<Pair>,
    /// `status.used`.
    pub used: Vec<Pair>,
}

impl Quota {
    /// Reads a quota.
    pub fn read(meta: Arc<Meta>) -> Self {
        let (spec, status) = (meta.root.get("spec"), meta.root.get("status"));
        Self {
            hard: spec.map(|spec| read_pairs(spec, "hard")).unwrap_or_default(),
            used: status.map(|status| read_pairs(status, "used")).unwrap_or_default(),
            meta,
        }
    }

    /// Returns the limit of a resource.
    pub fn limit(&self, resource: &str) -> Option<&Text> {
        find_pair(&self.hard, resource)
    }

    /// Returns what is used of a resource.
    pub fn used(&self, resource: &str) -> Option<&Text> {
        find_pair(&self.used, resource)
    }
}
