//! Member clusters, and the copy of each that its agent writes to.

use std::sync::Arc;

use jiff::Timestamp;

use super::condition::{Condition, find_condition, read_conditions};
use super::constraint::RESOURCE_PREFIX;
use super::meta::Meta;
use super::read::{Text, read_int, read_list, read_some, read_text, read_time};
use crate::source::{Span, Spanned};
use crate::syntax::tree::Node;

/// The label that the hub puts on every member.
pub const MEMBER_NAME: &str = "kubernetes-fleet.io/member-name";

/// A MemberCluster.
#[derive(Clone, Debug)]
pub struct MemberCluster {
    /// Identity and metadata; the labels are what stages and policies select by.
    pub meta: Arc<Meta>,
    /// `spec.heartbeatPeriodSeconds`.
    pub period: Option<Spanned<i64>>,
    /// `spec.taints`.
    pub taints: Vec<Taint>,
    /// `status.agentStatus`.
    pub agents: Vec<AgentStatus>,
    /// `status.conditions`.
    pub conditions: Vec<Condition>,
}

/// A taint that keeps placements away.
#[derive(Clone, Debug)]
pub struct Taint {
    /// All of it.
    pub span: Span,
    /// `key`.
    pub key: Text,
    /// `value`.
    pub value: Option<Text>,
    /// `effect`.
    pub effect: Option<Text>,
}

/// What one agent last said.
#[derive(Clone, Debug)]
pub struct AgentStatus {
    /// All of it.
    pub span: Span,
    /// `type`.
    pub kind: Option<Text>,
    /// `lastReceivedHeartbeat`.
    pub heartbeat: Option<Spanned<Timestamp>>,
    /// `conditions`.
    pub conditions: Vec<Condition>,
}

impl MemberCluster {
    /// Reads a member cluster.
    pub fn read(meta: Arc<Meta>) -> Self {
        let (spec, status) = (meta.root.get("spec"), meta.root.get("status"));
        let taint = |node: &Node| {
            Some(Taint {
                span: node.span,
                key: read_text(node, "key")?,
                value: read_text(node, "value"),
                effect: read_text(node, "effect"),
            })
        };
        Self {
            period: spec.and_then(|spec| read_int(spec, "heartbeatPeriodSeconds")),
            taints: spec.map(|spec| read_some(spec, "taints", taint)).unwrap_or_default(),
            agents: status
                .map(|s| read_list(s, "agentStatus", AgentStatus::read))
                .unwrap_or_default(),
            conditions: status
                .map(|status| read_conditions(status, "conditions"))
                .unwrap_or_default(),
            meta,
        }
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
            span: node.span,
            kind: read_text(node, "type"),
            heartbeat: read_time(node, "lastReceivedHeartbeat"),
            conditions: read_conditions(node, "conditions"),
        }
    }
}
