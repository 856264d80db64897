//! Services, as far as their availability goes.

use std::sync::Arc;

use super::meta::Meta;
use super::read::{Text, read_list, read_text};
use crate::syntax::tree::Node;

/// A Service.
#[derive(Clone, Debug)]
pub struct Service {
    /// Identity and metadata.
    pub meta: Arc<Meta>,
    /// `spec.type`.
    pub kind: Option<Text>,
    /// The addresses in `status.loadBalancer.ingress`.
    pub addresses: Vec<Text>,
}

impl Service {
    /// Reads a service.
    pub fn read(meta: Arc<Meta>) -> Self {
        let (spec, status) = (meta.root.get("spec"), meta.root.get("status"));
        let address = |node: &Node| read_text(node, "ip").or_else(|| read_text(node, "hostname"));
        Self {
            kind: spec.and_then(|spec| read_text(spec, "type")),
            addresses: status
                .and_then(|status| status.get("loadBalancer"))
                .map(|balancer| read_list(balancer, "ingress", address))
                .unwrap_or_default()
                .into_iter()
                .flatten()
                .collect(),
            meta,
        }
    }

    /// Says whether it still waits for an address from outside.
    pub fn awaits_address(&self) -> bool {
        self.kind.as_deref() == Some("LoadBalancer") && self.addresses.is_empty()
    }
}
