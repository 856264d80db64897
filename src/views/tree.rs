//! The tree of a fleet: run, stages, clusters, binding, Works, manifests, pods.
//!
//! Owns what the tree is ([`FleetTree`]); `build` makes it from the graph, `state` says in words how far each object is,
//! `provenance` asks the other way round. Which findings stand at which node is for the engine, drawing for the report.
//! Invariant: order comes from keys and from the texts, never from chance.

mod build;
mod provenance;
mod state;
mod weak_evidence;

pub use build::tree;
pub use provenance::{ObjectQuery, provenance};

use jiff::Timestamp;

use crate::finding::{Severity, Topic};
use crate::model::key::ObjectKey;

/// Everything that a tree command shows.
#[derive(Clone, Debug, Default)]
pub struct FleetTree {
    /// The trees: runs first, then placements without a run, then what belongs to none.
    pub roots: Vec<TreeNode>,
    /// The findings that no node holds.
    pub elsewhere: Vec<TreeMark>,
    /// Sentences below the trees.
    pub notes: Vec<String>,
}

/// A node with everything below it.
#[derive(Clone, Debug)]
pub struct TreeNode {
    /// What sort of thing it is.
    pub sort: NodeKind,
    /// What it is called.
    pub name: String,
    /// The object, if it is one.
    pub object: Option<ObjectKey>,
    /// Its state.
    pub state: NodeState,
    /// The findings about it that no deeper node holds.
    pub marks: Vec<TreeMark>,
    /// What stands below.
    pub children: Vec<Self>,
    /// What findings about it name.
    pub(crate) topics: Vec<Topic>,
}

/// What sort of thing a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// A run.
    Run,
    /// A placement.
    Placement,
    /// A stage of a run.
    Stage,
    /// A task before or after a stage.
    Gate,
    /// A member cluster.
    Cluster,
    /// A binding.
    Binding,
    /// A resource snapshot.
    Snapshot,
    /// A Work.
    Work,
    /// An object on a member.
    Manifest,
    /// A pod.
    Pod,
}

impl NodeKind {
    /// Returns the word used in machine-readable output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Placement => "placement",
            Self::Stage => "stage",
            Self::Gate => "gate",
            Self::Cluster => "cluster",
            Self::Binding => "binding",
            Self::Snapshot => "snapshot",
            Self::Work => "work",
            Self::Manifest => "manifest",
            Self::Pod => "pod",
        }
    }
}

/// How far something is.
#[derive(Clone, Debug, Default)]
pub struct NodeState {
    /// The state for people, such as `Applied False`.
    pub words: String,
    /// The state as one of a few values, for colours and marks.
    pub mood: NodeProgress,
    /// Since when it has been in this state.
    pub since: Option<Timestamp>,
    /// What else is to know, whenever it began.
    pub more: String,
}

/// How far something is, in one of few words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NodeProgress {
    /// Reached the wanted state.
    Done,
    /// A controller works on it.
    Active,
    /// Not begun, or waiting.
    Waiting,
    /// Not as wanted.
    Failed,
    /// The bundle does not tell.
    #[default]
    Unknown,
}

impl NodeProgress {
    /// Returns the word used in machine-readable output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Active => "active",
            Self::Waiting => "waiting",
            Self::Failed => "failed",
            Self::Unknown => "unknown",
        }
    }
}

/// A finding at a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeMark {
    /// The finding's id in the report.
    pub id: String,
    /// The rule's code.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
}

impl TreeNode {
    fn of_object(sort: NodeKind, key: &ObjectKey, state: NodeState) -> Self {
        Self {
            topics: vec![Topic::Object(key.clone())],
            object: Some(key.clone()),
            ..Self::named(sort, key.to_string(), state)
        }
    }

    fn named(sort: NodeKind, name: String, state: NodeState) -> Self {
        let (marks, children, topics) = Default::default();
        Self { sort, name, object: None, state, marks, children, topics }
    }

    fn with(mut self, children: Vec<Self>) -> Self {
        self.children = children;
        self
    }

    fn about(mut self, topics: impl IntoIterator<Item = Topic>) -> Self {
        self.topics.extend(topics);
        self
    }
}
