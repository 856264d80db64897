//! Pods and what their containers are waiting for.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use super::condition::{Condition, Status, find_condition, read_conditions};
use super::meta::Meta;
use super::read::{Pair, Text, read_int, read_list, read_pairs, read_text};
use crate::source::{Span, Spanned};
use crate::syntax::tree::Node;

/// A Pod.
///
/// Most pods of a dump are in order and nobody asks how they are, so that is read on first use.
#[derive(Clone, Debug)]
pub struct Pod {
    /// Identity and metadata.
    pub meta: Arc<Meta>,
    ready: OnceLock<bool>,
    containers: OnceLock<Vec<Container>>,
    state: OnceLock<Box<PodState>>,
}

/// How a pod is.
#[derive(Clone, Debug)]
pub struct PodState {
    /// `status.phase`.
    pub phase: Option<Text>,
    /// `status.reason`: why the node ended it, as `Evicted`.
    pub reason: Option<Text>,
    /// `status.message`: the same in words.
    pub message: Option<Text>,
    /// `status.conditions`.
    pub conditions: Vec<Condition>,
    /// `status.initContainerStatuses` and `status.containerStatuses`.
    pub statuses: Vec<ContainerStatus>,
}

/// A container as a pod or a pod template wants it.
#[derive(Clone, Debug)]
pub struct Container {
    /// `name`.
    pub name: Option<Text>,
    /// `image`.
    pub image: Option<Text>,
    /// `resources`.
    pub resources: Option<Node>,
}

/// A container as the kubelet reports it.
#[derive(Clone, Debug)]
pub struct ContainerStatus {
    /// All of it.
    pub span: Span,
    /// `name`.
    pub name: Option<Text>,
    /// `restartCount`.
    pub restarts: Option<Spanned<i64>>,
    /// `state.waiting`.
    pub waiting: Option<Waiting>,
    /// `state.terminated`, else `lastState.terminated`.
    pub ended: Option<Termination>,
}

/// Why a container does not run.
#[derive(Clone, Debug)]
pub struct Waiting {
    /// `reason`.
    pub reason: Option<Text>,
    /// `message`.
    pub message: Option<Text>,
}

/// How a container's last life ended.
#[derive(Clone, Debug)]
pub struct Termination {
    /// `reason`.
    pub reason: Option<Text>,
    /// `message`.
    pub message: Option<Text>,
    /// `exitCode`.
    pub exit_code: Option<Spanned<i64>>,
}

impl Pod {
    /// Returns `spec.nodeSelector`: the labels that a node has to have.
    pub fn node_selector(&self) -> Vec<Pair> {
        self.meta.root.get("spec").map(|spec| read_pairs(spec, "nodeSelector")).unwrap_or_default()
    }

    /// Says whether one of its volumes is a claim of this name.
    pub fn uses_claim(&self, name: &str) -> bool {
        let volumes = self.meta.root.at(&["spec", "volumes"]).map(Node::items).unwrap_or_default();
        let claim = |volume: &Node| {
            volume.get("persistentVolumeClaim").and_then(|claim| read_text(claim, "claimName"))
        };
        volumes.iter().filter_map(claim).any(|claim| *claim == *name)
    }

    /// Returns the STATUS column, of a row of a table.
    pub fn row_status(&self) -> Option<Text> {
        read_text(&self.meta.root, "x-status")
    }

    /// Takes an object for a pod.
    pub fn read(meta: Arc<Meta>) -> Self {
        let (ready, containers, state) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Self { meta, ready, containers, state }
    }

    /// Returns a condition of the pod.
    pub fn condition(&self, kind: &str) -> Option<&Condition> {
        find_condition(&self.conditions, kind)
    }

    /// Returns `spec.initContainers` and `spec.containers`.
    pub fn containers(&self) -> &[Container] {
        self.containers.get_or_init(|| {
            let spec = self.meta.root.get("spec").map(|spec| spec.opened(&CONTAINERS));
            spec.as_deref().map(read_containers).unwrap_or_default()
        })
    }

    /// Returns the container of a name.
    pub fn find_container(&self, name: &str) -> Option<&Container> {
        self.containers().iter().find(|container| container.name.as_deref() == Some(name))
    }

    /// Says whether the pod is ready, as a Service sees it.
    pub fn is_ready(&self) -> bool {
        // Every pod is asked this, and most of them nothing else.
        let Some(status) = self.meta.root.get("status").filter(|it| it.unread_text().is_some())
        else {
            return self.condition("Ready").is_some_and(Condition::is_true);
        };
        let conditions = || read_conditions(&status.opened(&["conditions"]), "conditions");
        *self
            .ready
            .get_or_init(|| find_condition(&conditions(), "Ready").is_some_and(Condition::is_true))
    }
}

impl Deref for Pod {
    type Target = PodState;

    fn deref(&self) -> &PodState {
        self.state.get_or_init(|| Box::new(PodState::read(&self.meta)))
    }
}

impl PodState {
    fn read(meta: &Meta) -> Self {
        let status = meta.root.get("status").map(|status| status.opened(&OF_STATUS));
        let status = status.as_deref();
        let statuses = |status: &Node| {
            STATUSES.iter().flat_map(|key| read_list(status, key, ContainerStatus::read)).collect()
        };
        Self {
            phase: status.and_then(|status| read_text(status, "phase")),
            reason: status.and_then(|status| read_text(status, "reason")),
            message: status.and_then(|status| read_text(status, "message")),
            conditions: status
                .map(|status| read_conditions(status, "conditions"))
                .unwrap_or_default(),
            statuses: status.map(statuses).unwrap_or_default(),
        }
        .with_row(&meta.root)
    }

    /// Takes over what a row of a table says: how many containers are ready, and why not.
    fn with_row(mut self, root: &Node) -> Self {
        if let Some(ready) = read_text(root, "x-ready") {
            let all = ready.split_once('/').is_some_and(|(have, want)| have == want);
            let value = if all { Status::True } else { Status::False };
            self.conditions.push(Condition {
                span: ready.span,
                kind: Text { value: "Ready".into(), ..ready.clone() },
                status: Spanned::new(value, ready.span),
                reason: None,
                message: None,
                observed_generation: None,
                since: None,
            });
        }
        if let Some(shown) = read_text(root, "x-status").filter(|shown| *shown == "Evicted") {
            self.phase = Some(Text { value: "Failed".into(), ..shown.clone() });
            self.reason = Some(shown);
        } else if let Some(shown) = read_text(root, "x-status") {
            // kubectl puts `Init:` before what an init container waits for.
            let reason = shown.strip_prefix("Init:").unwrap_or(&shown).into();
            let reason = Some(Text { value: reason, ..shown.clone() });
            let ended = matches!(&*shown.value, "Error" | "OOMKilled");
            let (waiting, ended) = if ended {
                (None, Some(Termination { reason, message: None, exit_code: None }))
            } else {
                (Some(Waiting { reason, message: None }), None)
            };
            let (name, restarts) = (None, None);
            self.statuses.push(ContainerStatus {
                span: shown.span,
                name,
                restarts,
                waiting,
                ended,
            });
        }
        self
    }
}

/// The fields of a pod's spec that hold containers.
const CONTAINERS: [&str; 2] = ["initContainers", "containers"];

/// The fields of a pod's status that tell how they are.
const STATUSES: [&str; 2] = ["initContainerStatuses", "containerStatuses"];

/// The fields of a pod's status that are read of every pod.
const OF_STATUS: [&str; 6] = ["phase", "reason", "message", "conditions", STATUSES[0], STATUSES[1]];

/// Reads the containers of a pod spec or a pod template's spec.
pub fn read_containers(spec: &Node) -> Vec<Container> {
    let read = |node: &Node| Container {
        name: read_text(node, "name"),
        image: read_text(node, "image"),
        resources: node.get("resources").cloned(),
    };
    CONTAINERS.iter().flat_map(|key| read_list(spec, key, read)).collect()
}

impl ContainerStatus {
    fn read(node: &Node) -> Self {
        let waiting = node.at(&["state", "waiting"]);
        let ended =
            node.at(&["state", "terminated"]).or_else(|| node.at(&["lastState", "terminated"]));
        Self {
            span: node.span,
            name: read_text(node, "name"),
            restarts: read_int(node, "restartCount"),
            waiting: waiting.map(|waiting| Waiting {
                reason: read_text(waiting, "reason"),
                message: read_text(waiting, "message"),
            }),
            ended: ended.map(|ended| Termination {
                reason: read_text(ended, "reason"),
                message: read_text(ended, "message"),
                exit_code: read_int(ended, "exitCode"),
            }),
        }
    }

    /// Returns the container's name, `""` when it has none.
    pub fn name(&self) -> &str {
        self.name.as_deref().unwrap_or_default()
    }

    /// Returns why it waits, `""` when it does not.
    pub fn waits_for(&self) -> &str {
        let reason = self.waiting.as_ref().and_then(|waiting| waiting.reason.as_deref());
        reason.unwrap_or_default()
    }

    /// Returns where to point for its waiting: the message, else the reason, else all of it.
    pub fn waiting_span(&self) -> Span {
        let waiting = self.waiting.as_ref();
        let message = waiting.and_then(|waiting| waiting.message.as_ref());
        let text = message.or_else(|| waiting.and_then(|waiting| waiting.reason.as_ref()));
        text.map_or(self.span, |text| text.span)
    }
}
