//! Nodes of a member cluster, as far as they decide about pods.

use super::cluster::MemberTaint;
use super::meta::Meta;
use super::read::{read_scalar, read_some};
use crate::source::Span;

/// A node that pods may be scheduled to.
#[derive(Debug)]
pub struct ClusterNode<'m> {
    /// Identity and metadata.
    pub meta: &'m Meta,
    /// `spec.unschedulable: true`: somebody has cordoned it.
    pub cordoned: Option<Span>,
    /// `spec.taints`.
    pub taints: Vec<MemberTaint>,
}

impl<'m> ClusterNode<'m> {
    /// Reads a node.
    pub fn read(meta: &'m Meta) -> Self {
        let spec = meta.root.get("spec");
        let cordoned = spec.and_then(|spec| read_scalar(spec, "unschedulable"));
        Self {
            meta,
            cordoned: cordoned.filter(|text| *text == "true").map(|text| text.span),
            taints: spec
                .map(|spec| read_some(spec, "taints", MemberTaint::read))
                .unwrap_or_default(),
        }
    }

    /// Returns how much of a resource it has in all.
    pub fn allocatable(&self, resource: &str) -> Option<Span> {
        self.meta.root.at(&["status", "allocatable", resource]).map(|node| node.span)
    }

    /// Says whether it has a label of this value.
    pub fn has_label(&self, key: &str, value: &str) -> bool {
        self.meta.label(key).is_some_and(|own| *own == value)
    }
}
