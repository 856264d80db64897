//! Member clusters, and the copy of each that its agent writes to.

use std::sync::Arc;

use jiff::Timestamp;

use super::condition::{Condition, find_condition, read_conditions};
use super::meta::Meta;
use super::read::{Site, Text, read_int, read_list, read_some, read_text, read_time};
use super::selector::plain_labels;
use crate::behaviour::member::labels_on_hub;
use crate::kube;
use crate::kube::selector::Labels;
use crate::source::{Span, Spanned};
use crate::syntax::tree::Node;

/// Properties under this prefix are read from the resource usage of the member.
pub const RESOURCE_PREFIX: &str = "resources.kubernetes-fleet.io/";

/// A MemberCluster.
#[derive(Clone, Debug)]
pub struct MemberCluster {
    /// Identity and metadata; the labels are what stages and policies select by.
    pub meta: Arc<Meta>,
    /// `spec.heartbeatPeriodSeconds`.
    pub period: Option<Spanned<i64>>,
    /// `spec.identity`.
    pub identity: Option<AgentIdentity>,
    /// `spec.taints`.
    pub taints: Vec<MemberTaint>,
    /// `status.agentStatus`.
    pub agents: Vec<AgentStatus>,
    /// `status.conditions`.
    pub conditions: Vec<Condition>,
}

/// Who the agents of a member are on the hub.
#[derive(Clone, Debug)]
pub struct AgentIdentity {
    /// All of it.
    pub site: Site,
    /// `kind`.
    pub kind: Option<Text>,
    /// `namespace`.
    pub namespace: Option<Text>,
}

impl AgentIdentity {
    fn read(node: &Node) -> Self {
        let (kind, namespace) = (read_text(node, "kind"), read_text(node, "namespace"));
        Self { site: Site::of(node), kind, namespace }
    }
}

/// A taint that keeps placements away.
#[derive(Clone, Debug)]
pub struct MemberTaint {
    /// All of it.
    pub site: Site,
    /// `key`.
    pub key: Text,
    /// `value`.
    pub value: Option<Text>,
    /// `effect`.
    pub effect: Option<Text>,
}

impl MemberTaint {
    /// Reads a taint; one without a key is none.
    pub fn read(node: &Node) -> Option<Self> {
        Some(Self {
            site: Site::of(node),
            key: read_text(node, "key")?,
            value: read_text(node, "value"),
            effect: read_text(node, "effect"),
        })
    }

    /// Returns it without its place.
    pub fn plain(&self) -> kube::taint::Taint<'_> {
        kube::taint::Taint { key: &self.key, value: self.value.as_deref().unwrap_or_default() }
    }
}

/// What one agent last said.
#[derive(Clone, Debug)]
pub struct AgentStatus {
    /// `type`.
    pub kind: Option<Text>,
    /// `lastReceivedHeartbeat`.
    pub heartbeat: Option<Spanned<Timestamp>>,
    /// `conditions`.
    pub conditions: Vec<Condition>,
}

impl MemberCluster {
    /// Returns where a namespace stands in `status.namespaces`; older API versions have no such list.
    pub fn namespace_span(&self, namespace: &str) -> Option<Span> {
        let known = self.meta.root.at(&["status", "namespaces"])?;
        Some(known.entry(namespace)?.key_span)
    }

    /// Returns the MEMBER-AGENT-LAST-SEEN column, of a row of a table.
    pub fn row_last_seen(&self) -> Option<Text> {
        read_text(&self.meta.root, "x-member-agent-last-seen")
    }

    /// Returns it for a sentence; a piece may not show its name.
    pub fn show(&self) -> String {
        match &*self.meta.key.name {
            "" => "the member cluster".to_owned(),
            name => format!("member cluster {name}"),
        }
    }

    /// Reads a member cluster.
    pub fn read(meta: Arc<Meta>) -> Self {
        let (spec, status) = (meta.root.get("spec"), meta.root.get("status"));
        Self {
            period: spec.and_then(|spec| read_int(spec, "heartbeatPeriodSeconds")),
            identity: spec.and_then(|spec| spec.get("identity")).map(AgentIdentity::read),
            taints: spec
                .map(|spec| read_some(spec, "taints", MemberTaint::read))
                .unwrap_or_default(),
            agents: status
                .map(|s| read_list(s, "agentStatus", AgentStatus::read))
                .unwrap_or_default(),
            conditions: status
                .map(|status| read_conditions(status, "conditions"))
                .unwrap_or_default(),
            meta,
        }
    }

    /// Returns its labels with the one that the hub adds, which an older hub or a manifest does not show.
    pub fn labels_on_hub(&self) -> Labels<'_> {
        labels_on_hub(self.meta.name(), plain_labels(&self.meta.labels))
    }

    /// Returns a condition of the cluster.
    pub fn condition(&self, kind: &str) -> Option<&Condition> {
        find_condition(&self.conditions, kind)
    }

    /// Returns a property that policies select by, from the properties or the resource usage.
    pub fn property(&self, name: &str) -> Option<Text> {
        let status = self.meta.root.get("status")?;
        if let Some(resource) = name.strip_prefix(RESOURCE_PREFIX) {
            let (sort, resource) = resource.split_once('-')?;
            let sort = if sort == "total" { "capacity" } else { sort };
            return read_text(status.at(&["resourceUsage", sort])?, resource);
        }
        let entries = status.get("properties")?.entries();
        let found = entries.iter().find(|entry| entry.key.eq_ignore_ascii_case(name))?;
        read_text(&found.node, "value")
    }

    /// Returns what the member agent last said.
    pub fn agent(&self) -> Option<&AgentStatus> {
        self.agents.iter().find(|agent| agent.kind.as_deref() == Some("MemberAgent"))
    }

    /// Returns the member agent's last heartbeat.
    pub fn heartbeat(&self) -> Option<Spanned<Timestamp>> {
        self.agent().and_then(|agent| agent.heartbeat)
    }
}

/// An InternalMemberCluster: the member agent writes its heartbeat here, the hub agent copies it.
#[derive(Clone, Debug)]
pub struct InternalMember {
    /// Identity and metadata.
    pub meta: Arc<Meta>,
    /// `spec.state`: `Join` or `Leave`.
    pub state: Option<Text>,
    /// `status.agentStatus`.
    pub agents: Vec<AgentStatus>,
}

impl InternalMember {
    /// Reads an internal member cluster.
    pub fn read(meta: Arc<Meta>) -> Self {
        let (spec, status) = (meta.root.get("spec"), meta.root.get("status"));
        Self {
            state: spec.and_then(|spec| read_text(spec, "state")),
            agents: status
                .map(|s| read_list(s, "agentStatus", AgentStatus::read))
                .unwrap_or_default(),
            meta,
        }
    }

    /// Returns the member agent's last heartbeat.
    pub fn heartbeat(&self) -> Option<Spanned<Timestamp>> {
        let agent = self.agents.iter().find(|agent| agent.kind.as_deref() == Some("MemberAgent"));
        agent.and_then(|agent| agent.heartbeat)
    }
}

impl AgentStatus {
    /// Reads the status of an agent.
    pub fn read(node: &Node) -> Self {
        Self {
            kind: read_text(node, "type"),
            heartbeat: read_time(node, "lastReceivedHeartbeat"),
            conditions: read_conditions(node, "conditions"),
        }
    }
}
